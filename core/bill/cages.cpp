#include "core/bill/cages.h"

#include <algorithm>
#include <limits>

namespace railyard {

namespace {

// A hostile catalogue may have cages with more ports than numbers.
int linksOf(std::int64_t ports) { return static_cast<int>(std::min<std::int64_t>(ports, std::numeric_limits<int>::max())); }

} // namespace

std::uint64_t mostCagesOf(const Fabric& fabric, DeviceId device) {
    std::uint64_t ports = 0, natives = 0;
    for (const PortGroup& group : fabric.portLayouts[fabric.devices.ports[device]]) {
        const auto count = static_cast<std::uint64_t>(group.count), lanes = static_cast<std::uint64_t>(group.lanes);
        ports += count;
        natives += (count + lanes - 1) / lanes;
    }
    const Part* part = fabric.partOf(device);
    const SwitchPart* details = part && fabric.devices.routes(device) ? part->as<SwitchPart>() : nullptr;
    if (!details || details->cages == 0) return ports;
    const auto perCage = static_cast<std::uint64_t>(nativePortsPerCage(*details));
    return (natives + perCage - 1) / perCage;
}

CageFinder::PortPlace CageFinder::find(DeviceId device, std::uint32_t port, std::uint8_t speed) {
    const DeviceTable& devices = m_fabric.devices;
    if (devices.routes(device)) return placeOf(switchPorts(device, speed).runs, port);
    if (!devices.isNic(device)) return {number({"any", 1, speedAt(speed), ""}), port - 1, 0};
    const NicPorts& nics = nicPorts(device, speed);
    return placeInServer(nics.cage, (devices.index[device] - 1) * nics.ports + port - 1);
}

// `port`: from 0, over all NICs of the server.
CageFinder::PortPlace CageFinder::placeInServer(const NicCage& cage, std::uint32_t port) {
    return {cage.cage, port / cage.perCage, port % cage.perCage};
}

std::uint32_t CageFinder::number(const Cage& cage) {
    const auto [known, isNew] = m_numbers.try_emplace(cage, static_cast<std::uint32_t>(m_cabling.cageKinds.size()));
    if (isNew) m_cabling.cageKinds.push_back(cage);
    return known->second;
}

// Native ports fill cages in order; a split native port stays in its cage.
std::vector<CageFinder::Run> CageFinder::runsOf(DeviceId device, Bandwidth speed) {
    constexpr std::uint32_t endless = std::numeric_limits<std::uint32_t>::max();
    const Part* part = m_fabric.partOf(device);
    const SwitchPart* details = part ? part->as<SwitchPart>() : nullptr;
    if (!details || details->cages == 0)
        return {{endless, 0, 1, 1, number({details ? details->cageAt(speed) : "unknown", 1, speed, details ? details->protocol : ""})}};
    const int perCage = nativePortsPerCage(*details);
    std::vector<Run> runs;
    std::uint32_t native = 0;
    const auto add = [&](std::uint32_t ports, int lanes) {
        const Cage cage{details->cageAt(speed), linksOf(std::int64_t{perCage} * lanes), speed, details->protocol};
        runs.push_back({ports, native, static_cast<std::uint32_t>(lanes), static_cast<std::uint32_t>(perCage), number(cage)});
    };
    for (const PortGroup& group : m_fabric.portLayouts[m_fabric.devices.ports[device]]) {
        const auto count = static_cast<std::uint32_t>(group.count), lanes = static_cast<std::uint32_t>(group.lanes);
        if (count > 0) add(count, group.lanes);
        native += (count + lanes - 1) / lanes;
    }
    add(endless, 1);
    return runs;
}

CageFinder::PortPlace CageFinder::placeOf(const std::vector<Run>& runs, std::uint32_t port) {
    std::uint32_t left = port - 1;
    auto run = runs.begin();
    for (; left >= run->ports; ++run) left -= run->ports;
    const std::uint32_t native = run->firstNative + left / run->lanes;
    return {run->cage, native / run->perCage, native % run->perCage * run->lanes + left % run->lanes};
}

const CageFinder::SwitchPorts CageFinder::m_noPorts;

const CageFinder::SwitchPorts& CageFinder::newSwitchPorts(DeviceId device, std::uint8_t speed, std::uint64_t key) {
    SwitchPorts& ports = m_switchPorts[key];
    if (ports.key != key) {
        ports.key = key;
        ports.runs = runsOf(device, speedAt(speed));
        const auto all = std::min(static_cast<std::uint32_t>(m_fabric.portCount(device)), mostKept);
        for (std::uint32_t port = 1; port <= all; ++port) ports.places.push_back(placeOf(ports.runs, port));
    }
    m_lastSwitchPorts = {&ports, m_lastSwitchPorts[0]};
    return ports;
}

// A NIC bought apart has its own cages; else the server's cages share its NIC ports evenly.
CageFinder::NicCage CageFinder::cageOfNic(DeviceId device, std::uint32_t nics, std::uint32_t ports, Bandwidth speed) {
    const Part* nic = m_fabric.partOf(device);
    const ServerId server = m_fabric.devices.server[device];
    const Part* chassis = server == none ? nullptr : m_fabric.parts[m_fabric.serverParts[server]];
    const ServerPart* details = chassis ? chassis->as<ServerPart>() : nullptr;
    if (nic && details && details->nic != nic->id && nic->as<NicPart>()) return {number({nic->as<NicPart>()->cage, 1, speed, ""}), 1};
    if (!details || details->cage.empty()) return {number({"unknown", 1, speed, ""}), 1};
    const auto all = nics * ports, cages = static_cast<std::uint32_t>(details->cages);
    const auto perCage = cages > 0 && all >= cages && all % cages == 0 ? all / cages : 1;
    return {number({details->cage, linksOf(perCage), speed, ""}), perCage};
}

const CageFinder::NicPorts& CageFinder::newNicPorts(DeviceId device, std::uint16_t chassis, std::uint32_t nics, std::uint8_t speed) {
    const auto ports = static_cast<std::uint32_t>(m_fabric.portCount(device));
    const auto [known, isNew] = m_nicPorts.try_emplace({m_fabric.devices.part[device], chassis, nics, ports, speed});
    NicPorts& own = known->second;
    if (!isNew) return own;
    own.cage = cageOfNic(device, nics, ports, speedAt(speed));
    own.ports = ports;
    const std::uint64_t all = std::min<std::uint64_t>(std::uint64_t{nics} * ports, mostKept);
    for (std::uint32_t port = 0; port < all; ++port) own.places.push_back(placeInServer(own.cage, port));
    return own;
}

// Counted when the first NIC is asked for: the cages of a switch do not need it.
void CageFinder::countNics() {
    m_nicsOfServer.resize(m_fabric.servers.size());
    for (const DeviceId d : m_fabric.devices.ids())
        if (m_fabric.devices.isNic(d) && m_fabric.devices.server[d] != none) {
            std::uint32_t& most = m_nicsOfServer[m_fabric.devices.server[d]];
            most = std::max(most, m_fabric.devices.index[d]);
        }
}

} // namespace railyard
