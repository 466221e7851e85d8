#include "core/bill/auxiliary_networks.h"

#include "core/design/recipes/recipe.h"
#include "core/fabric/elaborate.h"
#include "core/floor/guests.h"

#include <fmt/format.h>
#include <span>

namespace railyard {

namespace {

// What was drawn, before any failure.
const Fabric& drawn(const Fabric& fabric) { return fabric.intact ? *fabric.intact : fabric; }

std::vector<std::string> serversOf(const Fabric& compute) {
    std::vector<bool> there(compute.servers.size());
    for (const ServerId server : compute.devices.server)
        if (server != none) there[server] = true;
    std::vector<std::string> paths;
    for (std::size_t s = 0; s < there.size(); ++s)
        if (there[s]) paths.push_back(compute.scopePath(compute.servers[s]));
    return paths;
}

void addSwitches(const Fabric& fabric, const std::string& prefix, std::vector<std::string>& hosts) {
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.routes(d)) hosts.push_back(prefix + fabric.devicePath(d));
}

} // namespace

std::vector<std::string> networkHosts(const std::vector<AuxiliaryFabric>& networks, std::size_t which, const Fabric& compute) {
    const std::string& name = which < networks.size() ? networks[which].name : std::string();
    std::vector<std::string> hosts = serversOf(drawn(compute));
    if (name == "out-of-band") {
        addSwitches(drawn(compute), "", hosts);
        for (std::size_t s = 0; s < which; ++s) addSwitches(*networks[s].fabric, networks[s].name + "/", hosts);
    }
    for (const AuxiliaryNetwork& network : compute.design->networks)
        if (network.name == "storage" && name != "in-band")
            for (int node = 1; node <= network.others; ++node) hosts.push_back(fmt::format("storage/node[{}]", node));
    return hosts;
}

namespace {

// Where a host stands: in a rack, or in none.
using Standing = std::optional<Chassis>;

// The hosts of a network in the order of networkHosts.
std::vector<Standing> standingHosts(const Fabric& compute, const Floor& floor, std::span<const AuxiliaryFabric> before, std::size_t hosts,
                                    bool isManaging) {
    const Fabric& whole = drawn(compute);
    std::vector<Standing> ofServer(whole.servers.size()), ofSwitch(whole.devices.size());
    for (const Chassis& chassis : floor.chassis) {
        if (chassis.rack == none) continue;
        if (chassis.server != none) ofServer[chassis.server] = chassis;
        if (chassis.server == none) ofSwitch[chassis.device] = chassis;
    }
    std::vector<bool> isThere(whole.servers.size());
    for (const ServerId server : whole.devices.server)
        if (server != none) isThere[server] = true;
    std::vector<Standing> all;
    for (std::size_t s = 0; s < isThere.size(); ++s)
        if (isThere[s]) all.push_back(ofServer[s]);
    if (isManaging) {
        for (const DeviceId d : whole.devices.ids())
            if (whole.devices.routes(d)) all.push_back(ofSwitch[d]);
        for (const AuxiliaryFabric& side : before)
            for (const DeviceId d : side.fabric->devices.ids())
                if (side.fabric->devices.routes(d)) {
                    const Chassis* at = side.cabling.floor.chassisAt(d);
                    all.push_back(at ? Standing(*at) : std::nullopt);
                }
    }
    all.resize(hosts);
    return all;
}

// The floor of a network: the racks of the design, its hosts where they stand, and its switches beside what they connect.
class NetworkFloor {
public:
    NetworkFloor(const AuxiliaryFabric& side, const std::vector<Standing>& hosts, Floor& design, GuestPlacer& placer)
        : m_side(side),
          m_fabric(*side.fabric) {
        m_floor.plan = design.plan;
        m_floor.rackPitch = design.rackPitch;
        m_floor.rowPitch = design.rowPitch;
        m_floor.chassisOf.assign(m_fabric.devices.size(), none);
        std::vector<std::uint32_t> ofHost(hosts.size(), none);
        for (std::size_t h = 0; h < hosts.size(); ++h)
            if (hosts[h]) ofHost[h] = add(*hosts[h]);
        for (const DeviceId d : m_fabric.devices.ids())
            if (const ServerId host = m_fabric.devices.server[d]; host != none && host < ofHost.size()) m_floor.chassisOf[d] = ofHost[host];
        placeSwitches(design, placer);
        m_floor.racks = design.racks;
        m_floor.rows = design.rows;
        m_floor.width = design.width;
        m_floor.depth = design.depth;
    }
    Floor take() { return std::move(m_floor); }

private:
    std::uint32_t add(const Chassis& chassis) {
        m_floor.chassis.push_back(chassis);
        return static_cast<std::uint32_t>(m_floor.chassis.size() - 1);
    }

    // Tier by tier, each switch as near as possible to the middle of what it connects.
    void placeSwitches(const Floor& design, GuestPlacer& placer) {
        const FloorPoint middle{design.width.value() / 2, design.depth.value() / 2};
        for (const SwitchTier tier : {SwitchTier::Leaf, SwitchTier::Spine, SwitchTier::Superspine, SwitchTier::Core}) {
            std::vector<FloorPoint> sum(m_fabric.devices.size());
            std::vector<double> count(m_fabric.devices.size());
            for (const LinkId l : m_fabric.links.ids()) {
                const DeviceId upper = m_fabric.links.b[l];
                const Rack* rack = m_fabric.devices.tier[upper] == tier ? rackOf(m_fabric.links.a[l], design) : nullptr;
                if (!rack) continue;
                sum[upper].x += rack->x;
                sum[upper].y += rack->y;
                ++count[upper];
            }
            for (const DeviceId d : m_fabric.devices.ids()) {
                if (!m_fabric.devices.routes(d) || m_fabric.devices.tier[d] != tier) continue;
                const FloorPoint near = count[d] > 0 ? FloorPoint{sum[d].x / count[d], sum[d].y / count[d]} : middle;
                const std::uint32_t guest = placer.place(m_side.name + "/" + m_fabric.devicePath(d), m_fabric.partOf(d), near);
                const Guest& own = design.guests[guest];
                Chassis chassis;
                chassis.device = d;
                chassis.server = ServerId(none);
                chassis.part = own.part;
                chassis.rack = own.rack;
                chassis.unit = own.unit;
                chassis.height = own.height;
                m_floor.chassisOf[d] = add(chassis);
            }
        }
    }
    const Rack* rackOf(DeviceId device, const Floor& design) const {
        const Chassis* at = m_floor.chassisAt(device);
        return at && at->rack != none ? &design.racks[at->rack] : nullptr;
    }

    const AuxiliaryFabric& m_side;
    const Fabric& m_fabric;
    Floor m_floor;
};

} // namespace

AuxiliaryNetworks auxiliaryNetworksOn(const Fabric& compute, Floor& floor) {
    AuxiliaryNetworks networks;
    GuestPlacer placer(floor, *compute.design->catalog);
    for (const AuxiliaryNetwork& network : compute.design->networks) {
        networks.fabrics.push_back({network.name, nullptr, {}, 0});
        AuxiliaryFabric& side = networks.fabrics.back();
        const auto hosts = static_cast<int>(networkHosts(networks.fabrics, networks.fabrics.size() - 1, compute).size());
        const CatalogPointer& catalog = compute.design->catalog;
        auto built = hosts > 0 ? build(callFor(network, hosts, *catalog), network.name, catalog)
                               : Result<Design>(Error::unbuildable("the design has no servers"));
        if (!built) {
            networks.problems.push_back(
                {"RY-D017", Severity::Error,
                 fmt::format("The {} network cannot be built for {} hosts: {}.", network.name, hosts, built.error().text), network.name,
                 "It is missing from the bill and the cable schedule. Change its switch or its size."});
            networks.fabrics.pop_back();
            continue;
        }
        side.fabric = elaborate(std::make_shared<const Design>(std::move(*built)));
        side.others = hosts - static_cast<int>(serversOf(drawn(compute)).size());
        if (floor.isPlaced()) {
            const std::span<const AuxiliaryFabric> before(networks.fabrics.data(), networks.fabrics.size() - 1);
            const auto standing = standingHosts(compute, floor, before, static_cast<std::size_t>(hosts), network.name == "out-of-band");
            side.cabling = cablingOn(*side.fabric, NetworkFloor(side, standing, floor, placer).take());
        } else {
            side.cabling = cablingOn(*side.fabric, {});
        }
    }
    return networks;
}

const std::vector<AuxiliaryFabric>& auxiliaryFabricsOf(const Cabling& cabling) {
    static const std::vector<AuxiliaryFabric> nothing;
    return cabling.auxiliary ? cabling.auxiliary->fabrics : nothing;
}

std::string networkPath(const AuxiliaryFabric& side, const std::vector<std::string>& hosts, DeviceId device) {
    const ServerId server = side.fabric->devices.server[device];
    if (server == none) return side.name + "/" + side.fabric->devicePath(device);
    return fmt::format("{}/{}[{}]", hosts[server], side.name, side.fabric->devices.index[device]);
}

} // namespace railyard
