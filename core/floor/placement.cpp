#include "core/floor/placement.h"

#include "core/fabric/path_finder.h"
#include "core/floor/chassis.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace railyard {
namespace {

// The scalable unit a scope stands in, from 1; 0 where it stands in none.
std::uint32_t scalableUnitOf(const Fabric& fabric, ScopeId scope) {
    for (; scope != none; scope = fabric.scopes[scope].parent)
        if (fabric.scopes[scope].role == Instance::Role::ScalableUnit) return fabric.scopes[scope].index;
    return 0;
}

class Placer {
public:
    Placer(const Fabric& fabric, Floor& floor) : m_fabric(fabric), m_floor(floor) {
        const Part* server = fabric.servers.empty() ? nullptr : fabric.parts[fabric.serverParts.front()];
        m_switchRack = rackFor(floor.plan, nullptr, *fabric.design->catalog);
        m_serverRack = server ? rackFor(floor.plan, server, *fabric.design->catalog) : nullptr;
        if (!m_serverRack) m_serverRack = m_switchRack;
    }

    std::vector<RackBlock> place() {
        collectChassis(m_fabric, m_serverRack ? m_serverRack->as<RackPart>()->units : 48, m_floor);
        readOverrides();
        sortIntoGroups();
        shareLeafRacks();
        std::vector<RackBlock> blocks;
        for (std::size_t slot = 0; slot <= m_groups.size(); ++slot) {
            if (!m_uppers[slot].empty()) {
                const auto first = static_cast<std::uint32_t>(m_floor.racks.size());
                fillSwitchRacks(m_uppers[slot]);
                blocks.push_back({first, static_cast<std::uint32_t>(m_floor.racks.size()) - first, 0, true});
            }
            if (slot < m_groups.size() && !m_groups[slot].servers.empty()) blocks.push_back(placeGroup(m_groups[slot]));
        }
        const auto first = static_cast<std::uint32_t>(m_floor.racks.size());
        placeByHand();
        if (isSystem()) completeSystems(m_fabric, *m_serverRack, m_floor);
        if (m_floor.racks.size() > first) blocks.push_back({first, static_cast<std::uint32_t>(m_floor.racks.size()) - first, 0, false});
        giveUnits(m_floor);
        return blocks;
    }

private:
    struct Group {
        std::uint32_t su = 0; // 0: what stands in no scalable unit
        std::vector<std::uint32_t> servers, leaves;
    };
    // Published layouts put the leaves of eight server racks in one rack amid them.
    static constexpr std::size_t serverRacksOfLeafRack = 8;

    void readOverrides() {
        const auto& overrides = m_fabric.design->overrides;
        const bool any = std::any_of(overrides.begin(), overrides.end(),
                                     [](const auto& entry) { return !entry.second.rack.empty() || entry.second.unit > 0; });
        if (!any) return;
        std::map<std::string, std::uint32_t, std::less<>> byPath;
        for (const auto& [path, change] : overrides) {
            if (change.rack.empty() && change.unit == 0) continue;
            if (byPath.empty())
                for (std::uint32_t c = 0; c < m_floor.chassis.size(); ++c) byPath[chassisPath(m_fabric, m_floor.chassis[c])] = c;
            const auto found = byPath.find(path);
            if (found == byPath.end()) continue;
            Chassis& chassis = m_floor.chassis[found->second];
            chassis.unit = change.unit;
            if (change.rack.empty()) continue;
            chassis.byHand = true;
            m_byHand.emplace_back(found->second, change.rack);
        }
    }

    void sortIntoGroups() {
        std::map<std::uint32_t, Group> groups; // by scalable unit; what stands in none comes last
        constexpr std::uint32_t last = none;
        const auto key = [](std::uint32_t su) { return su == 0 ? last : su; };
        for (std::uint32_t c = 0; c < m_floor.chassis.size(); ++c) {
            const Chassis& chassis = m_floor.chassis[c];
            const bool host = chassis.server != none || m_fabric.devices.isHost(chassis.device);
            if (host && !chassis.byHand) groups[key(scalableUnitOf(m_fabric, m_fabric.devices.scope[chassis.device]))].servers.push_back(c);
        }
        for (std::uint32_t c = 0; c < m_floor.chassis.size(); ++c) {
            const Chassis& chassis = m_floor.chassis[c];
            if (m_fabric.devices.tier[chassis.device] != SwitchTier::Leaf || chassis.byHand) continue;
            const auto group = groups.find(key(m_fabric.devices.su[chassis.device]));
            if (group != groups.end()) group->second.leaves.push_back(c);
        }
        m_position.assign(m_floor.chassis.size(), -1);
        for (auto& [su, group] : groups) {
            group.su = su == last ? 0 : su;
            for (const auto* members : {&group.servers, &group.leaves})
                for (const auto c : *members) m_position[c] = static_cast<double>(m_groups.size());
            m_groups.push_back(std::move(group));
        }
        placeUppers();
    }

    // What joins others stands at the middle of them, tier by tier.
    void placeUppers();
    bool isGrouped(std::uint32_t c) const {
        const Chassis& chassis = m_floor.chassis[c];
        if (chassis.server != none || m_fabric.devices.isHost(chassis.device)) return true;
        if (m_fabric.devices.tier[chassis.device] != SwitchTier::Leaf) return false;
        const auto su = m_fabric.devices.su[chassis.device];
        return std::any_of(m_groups.begin(), m_groups.end(), [&](const Group& group) { return group.su == su; });
    }
    // Tiers apart, rails together.
    std::tuple<SwitchTier, std::uint32_t, std::uint32_t> order(std::uint32_t c) const {
        const DeviceId device = m_floor.chassis[c].device;
        return {m_fabric.devices.tier[device], m_fabric.devices.rail[device], m_fabric.devices.plane[device]};
    }

    std::uint32_t openRack(std::string name, const Part* part) {
        Rack rack;
        rack.name = std::move(name);
        rack.part = part;
        m_floor.racks.push_back(std::move(rack));
        return static_cast<std::uint32_t>(m_floor.racks.size() - 1);
    }
    void put(std::uint32_t c, std::uint32_t at) {
        Chassis& chassis = m_floor.chassis[c];
        Rack& rack = m_floor.racks[at];
        chassis.rack = at;
        ++(chassis.server != none ? rack.servers : rack.switches);
        if (chassis.server == none) ++rack.switchesByTier[static_cast<std::size_t>(m_fabric.devices.tier[chassis.device])];
        countIn(rack, chassis.part, chassis.height);
    }
    bool fits(std::uint32_t c, const Rack& rack) const {
        const Chassis& chassis = m_floor.chassis[c];
        const double watts = rack.power.value() + rackPowerOf(chassis.part).value();
        const double most = rack.part ? rack.part->as<RackPart>()->power.value() : watts;
        return rack.units + chassis.height <= rack.height() && watts <= most * (1 + 1e-9);
    }

    // Racks that are bought with their servers: one for each HB domain.
    bool isSystem() const { return m_serverRack && m_serverRack->as<RackPart>()->system.has_value(); }
    DomainId domainOf(std::uint32_t c) const { return m_fabric.devices.hbDomain[m_floor.chassis[c].device]; }
    std::uint32_t suOf(std::uint32_t c) const { return scalableUnitOf(m_fabric, m_fabric.devices.scope[m_floor.chassis[c].device]); }
    static std::string prefixOf(std::uint32_t su) { return su > 0 ? fmt::format("su[{}]/", su) : std::string(); }

    // Servers rack by rack; a scalable unit starts a rack of its own.
    std::vector<std::vector<std::uint32_t>> fullRacks(const std::vector<std::uint32_t>& servers) const {
        std::vector<std::vector<std::uint32_t>> full;
        Rack open;
        open.part = m_serverRack;
        for (const auto c : servers) {
            const int most = m_floor.plan.serversPerRack;
            const bool next = full.empty() || suOf(c) != suOf(full.back().front()) ||
                              (isSystem() ? domainOf(c) != domainOf(full.back().front())
                                          : !fits(c, open) || (most > 0 && static_cast<int>(full.back().size()) >= most));
            if (next) {
                full.emplace_back();
                open.units = 0;
                open.power = Watts(0);
            }
            full.back().push_back(c);
            open.units += m_floor.chassis[c].height;
            open.power += rackPowerOf(m_floor.chassis[c].part);
        }
        return full;
    }
    // Top of rack: the leaves of servers that fill at most one rack stand in it where they fit.
    bool fitsOneRack(const Group& group) const {
        if (isSystem()) return false;
        Rack all;
        all.part = m_serverRack;
        for (const auto* members : {&group.servers, &group.leaves})
            for (const auto c : *members) {
                if (!fits(c, all)) return false;
                all.units += m_floor.chassis[c].height;
                all.power += rackPowerOf(m_floor.chassis[c].part);
            }
        const auto most = static_cast<std::size_t>(m_floor.plan.serversPerRack);
        return most == 0 || group.servers.size() <= most;
    }
    // Small scalable units side by side share their leaf racks.
    void shareLeafRacks() {
        std::vector<std::size_t> racks;
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            Group& group = m_groups[g];
            racks.push_back(fitsOneRack(group) ? serverRacksOfLeafRack : fullRacks(group.servers).size());
            for (std::size_t h = g; h-- > 0;) {
                if (m_groups[h].servers.empty()) continue;
                if (racks[h] + racks[g] > serverRacksOfLeafRack || group.su == 0) break;
                for (auto list : {&Group::servers, &Group::leaves})
                    (m_groups[h].*list).insert((m_groups[h].*list).end(), (group.*list).begin(), (group.*list).end()),
                        (group.*list).clear();
                racks[h] += racks[g];
                break;
            }
        }
    }

    RackBlock placeGroup(const Group& group) {
        const auto first = static_cast<std::uint32_t>(m_floor.racks.size());
        if (fitsOneRack(group)) {
            const auto rack = openRack(prefixOf(group.su) + "rack[1]", m_serverRack);
            for (const auto* members : {&group.servers, &group.leaves})
                for (const auto c : *members) put(c, rack);
            return {first, 1, 0, false};
        }
        const auto full = fullRacks(group.servers);
        std::map<std::uint32_t, int> numbers;
        for (const auto& servers : full) {
            const auto su = suOf(servers.front());
            const auto rack = openRack(fmt::format("{}rack[{}]", prefixOf(su), ++numbers[su]), m_serverRack);
            for (const auto c : servers) put(c, rack);
        }
        fillRow(group.leaves, prefixOf(group.su) + "leaf-rack");
        const auto count = static_cast<std::uint32_t>(m_floor.racks.size()) - first;
        return {first, count, count - static_cast<std::uint32_t>(full.size()), false};
    }
    void fillRow(const std::vector<std::uint32_t>& switches, const std::string& name) {
        std::uint32_t rack = none;
        int count = 0;
        for (const auto c : switches) {
            if (rack == none || !fits(c, m_floor.racks[rack])) rack = openRack(fmt::format("{}[{}]", name, ++count), m_switchRack);
            put(c, rack);
        }
    }
    void fillSwitchRacks(const std::vector<std::uint32_t>& switches) {
        std::uint32_t rack = none;
        SwitchTier tier = SwitchTier::None;
        for (const auto c : switches) {
            const SwitchTier own = m_fabric.devices.tier[m_floor.chassis[c].device];
            if (rack == none || own != tier || !fits(c, m_floor.racks[rack]))
                rack = openRack(fmt::format("switch-rack[{}]", ++m_switchRacks), m_switchRack);
            tier = own;
            put(c, rack);
        }
    }

    void placeByHand() {
        std::map<std::string, std::uint32_t, std::less<>> byName;
        for (std::uint32_t r = 0; !m_byHand.empty() && r < m_floor.racks.size(); ++r) byName[m_floor.racks[r].name] = r;
        for (const auto& [c, name] : m_byHand) {
            const auto [rack, fresh] = byName.try_emplace(name, 0);
            if (fresh) rack->second = openRack(name, m_serverRack);
            put(c, rack->second);
        }
    }

    const Fabric& m_fabric;
    Floor& m_floor;
    const Part *m_serverRack = nullptr, *m_switchRack = nullptr;
    int m_switchRacks = 0;
    std::vector<Group> m_groups;
    std::vector<std::vector<std::uint32_t>> m_uppers; // before each group, and after the last
    std::vector<double> m_position;                   // of every chassis, in groups; below 0 = joins nothing
    std::vector<std::pair<std::uint32_t, std::string>> m_byHand;
};

void Placer::placeUppers() {
    std::vector<double> sum(m_floor.chassis.size());
    std::vector<std::int64_t> count(m_floor.chassis.size());
    const LinkTable& links = m_fabric.links;
    for (const auto tier :
         {LinkTier::HostLeaf, LinkTier::ManagerLeaf, LinkTier::LeafSpine, LinkTier::SpineSuperspine, LinkTier::SuperspineCore}) {
        for (const LinkId l : links.ids()) {
            if (links.tier[l] != tier) continue;
            const bool up = tier != LinkTier::ManagerLeaf; // a manager stands where its leaves are
            const auto lower = m_floor.chassisOf[up ? links.a[l] : links.b[l]], upper = m_floor.chassisOf[up ? links.b[l] : links.a[l]];
            if (lower == none || upper == none || m_position[lower] < 0) continue;
            sum[upper] += m_position[lower];
            ++count[upper];
        }
        for (std::size_t c = 0; c < sum.size(); ++c)
            if (m_position[c] < 0 && count[c] > 0) m_position[c] = sum[c] / static_cast<double>(count[c]);
    }
    m_uppers.resize(m_groups.size() + 1);
    for (std::uint32_t c = 0; c < m_floor.chassis.size(); ++c) {
        const Chassis& chassis = m_floor.chassis[c];
        const bool grouped = m_position[c] >= 0 && isGrouped(c);
        if (grouped || chassis.byHand || chassis.isSwitchTray) continue;
        const double middle = m_position[c] < 0 ? static_cast<double>(m_groups.size()) : m_position[c] + 1;
        m_uppers[std::min(m_groups.size(), static_cast<std::size_t>(middle + 1e-6))].push_back(c);
    }
    for (auto& uppers : m_uppers)
        std::stable_sort(uppers.begin(), uppers.end(), [&](std::uint32_t a, std::uint32_t b) { return order(a) < order(b); });
}

} // namespace

std::vector<RackBlock> placeChassis(const Fabric& fabric, Floor& floor) { return Placer(fabric, floor).place(); }

} // namespace railyard
