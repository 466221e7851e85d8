#include "core/fabric/wire_uplinks.h"

#include "core/base/runs.h"
#include "core/design/model/uplink_spread.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace railyard {
namespace {

using Members = std::span<const DeviceId>;

// Switches that a group of lowers shares. A full one stays full and is skipped for good, so that finding room costs next to
// nothing however many are full.
struct Uppers {
    explicit Uppers(Members switches) : members(switches), spread(switches.size()) {}
    Members members;
    UplinkSpread spread;

    // The first that is not full from `at` on, going round; `at` itself if all are.
    template <class Full>
    std::size_t withRoom(std::size_t at, Full isFull) {
        if (m_allFull || !isFull(members[at])) return at;
        if (m_next.empty()) {
            m_next.resize(members.size());
            std::iota(m_next.begin(), m_next.end(), 0U);
        }
        for (;;) {
            const std::size_t found = root(at);
            if (!isFull(members[found])) return found;
            if (++m_full == members.size()) return m_allFull = true, at;
            m_next[found] = static_cast<std::uint32_t>((found + 1) % members.size());
        }
    }

private:
    std::size_t root(std::size_t at) {
        while (m_next[at] != at) at = m_next[at] = m_next[m_next[at]];
        return at;
    }
    std::vector<std::uint32_t> m_next; // itself, or where to look on
    std::size_t m_full = 0;
    bool m_allFull = false;
};

template <class T>
void fill(T* entries, std::size_t count, T value) { // by value, which is then known not to change on the way
    std::fill_n(entries, count, value);
}

class UplinkWiring {
public:
    explicit UplinkWiring(LinkWriter& write) : m_write(write) {}

    void wireManager(const WiringRule& rule, Members managers, Members leaves, std::uint8_t speed) {
        if (managers.empty() || leaves.empty()) return;
        const auto lastSu = m_write.fabric.devices.su[leaves.back()];
        std::vector<DeviceId> last;
        for (const DeviceId leaf : leaves)
            if (m_write.fabric.devices.su[leaf] == lastSu) last.push_back(leaf);
        Uppers group(last);
        const auto full = [&](DeviceId leaf) {
            return m_write.fabric.portLayouts[m_write.fabric.devices.ports[leaf]].empty() || m_write.isFull(leaf);
        };
        std::size_t at = 0;
        for (int port = 1; port <= rule.ports && m_write.hasRoom(); ++port, ++at) {
            at = group.withRoom(at % last.size(), full);
            m_write.connectDown(managers[0], PortId(port), last[at], LinkTier::ManagerLeaf, speed);
        }
    }

    static LinkTier tierAbove(SwitchTier tier) {
        if (tier == SwitchTier::Leaf) return LinkTier::LeafSpine;
        return tier == SwitchTier::Spine ? LinkTier::SpineSuperspine : LinkTier::SuperspineCore;
    }

    // Groups of lowers by what they have in common, then by runs. Lowers of a rail or plane find the uppers of that rail or
    // plane, wherever others are missing; those of one index take the groups in order.
    void wireSpread(const WiringRule& rule, Members lowers, Members uppers, std::uint8_t speed) {
        if (lowers.empty()) return; // an SU whose leaves were all taken out
        const DeviceTable& devices = m_write.fabric.devices;
        std::vector<std::uint32_t> portsDown; // by layout
        for (const PortLayout& layout : m_write.fabric.portLayouts)
            portsDown.push_back(layout.empty() ? none : static_cast<std::uint32_t>(layout.front().count));
        // Tables that stay where they are while uplinks are wired.
        std::uint32_t* const nextPort = m_write.nextPort.data();
        const auto isFull = [nextPort, down = portsDown.data(), layoutOf = devices.ports.data()](DeviceId upper) {
            return nextPort[upper] >= down[layoutOf[upper]];
        };
        std::unordered_map<std::uint64_t, std::vector<Uppers>> groups = groupsOf(rule, lowers, uppers);
        const std::vector<Planned> planned = plannedUplinks(rule, lowers, groups);
        std::size_t all = 0;
        for (const Planned& own : planned) all += own.uplinks;
        if (const auto first = m_write.linksUnset(all)) {
            LinkTable& links = m_write.fabric.links;
            std::size_t l = *first;
            for (const Planned& own : planned) {
                const DeviceId lower = own.lower;
                const std::size_t uplinks = own.uplinks;
                Uppers* const group = own.group;
                const LinkTier tier = tierAbove(devices.tier[lower]);
                fill(links.a.data() + l, uplinks, lower);
                fill(links.tier.data() + l, uplinks, tier);
                fill(links.speed.data() + l, uplinks, speed);
                std::uint32_t& next = m_write.nextUplink[lower];
                countUp(links.aPort.data() + l, uplinks, PortId(static_cast<std::uint32_t>(rule.downPorts) + next + 1));
                next += static_cast<std::uint32_t>(uplinks);
                DeviceId* b = links.b.data() + l;
                PortId* bPort = links.bPort.data() + l;
                const auto link = [&, nextPort](DeviceId upper) {
                    *b++ = upper;
                    *bPort++ = PortId(++nextPort[upper]);
                };
                if (const std::uint32_t each = evenShare(*group, uplinks, portsDown); each > 0)
                    for (const DeviceId upper : group->members)
                        for (std::uint32_t k = 0; k < each; ++k) link(upper);
                else
                    group->spread.forEachUpper(uplinks, [&](std::size_t at) {
                        link(group->members[group->withRoom(at, isFull)]);
                        return true;
                    });
                group->spread.next(uplinks);
                l += uplinks;
            }
            return;
        }
        for (const Planned& own : planned) { // one by one, until there is no room
            Uppers& group = *own.group;
            group.spread.forEachUpper(own.uplinks, [&](std::size_t at) {
                if (!m_write.hasRoom()) return false;
                const auto port = static_cast<std::uint32_t>(rule.downPorts) + ++m_write.nextUplink[own.lower];
                m_write.connectDown(own.lower, PortId(port), group.members[group.withRoom(at, isFull)], tierAbove(devices.tier[own.lower]),
                                    speed);
                return true;
            });
            group.spread.next(own.uplinks);
        }
    }

    // How many of the uplinks of a lower every upper takes, as most do, where none of them becomes full on the way; 0 otherwise.
    std::uint32_t evenShare(const Uppers& group, std::size_t uplinks, const std::vector<std::uint32_t>& portsDown) const {
        if (uplinks % group.members.size() != 0) return 0;
        const auto each = static_cast<std::uint32_t>(uplinks / group.members.size());
        const std::uint32_t* const nextPort = m_write.nextPort.data();
        const std::uint16_t* const layoutOf = m_write.fabric.devices.ports.data();
        const std::uint32_t* const down = portsDown.data();
        const auto hasRoom = [=](DeviceId upper) { return nextPort[upper] + each <= down[layoutOf[upper]]; };
        return std::all_of(group.members.begin(), group.members.end(), hasRoom) ? each : 0;
    }

    struct Planned {
        DeviceId lower;
        Uppers* group;
        std::size_t uplinks;
    };
    std::vector<Planned> plannedUplinks(const WiringRule& rule, Members lowers,
                                        std::unordered_map<std::uint64_t, std::vector<Uppers>>& groups) const {
        std::vector<Planned> planned;
        std::unordered_map<std::uint64_t, std::uint32_t> seen; // key -> lowers so far
        for (const DeviceId lower : lowers) {
            const std::uint64_t key = keyOf(rule, lower);
            std::uint32_t& before = seen[key];
            const std::size_t run = rule.run > 0 ? before / static_cast<std::uint32_t>(rule.run) : 0;
            ++before;
            const auto own = groups.find(key);
            if (own == groups.end() || run >= own->second.size()) continue;
            const int uplinks =
                rule.uplinks > 0 ? rule.uplinks : uplinksInProportion(rule, static_cast<std::int64_t>(m_write.nextPort[lower]));
            planned.push_back({lower, &own->second[run], static_cast<std::size_t>(uplinks)});
        }
        return planned;
    }

    // No more than all ports down have, where a document connects more to them.
    static int uplinksInProportion(const WiringRule& rule, std::int64_t used) {
        const auto of = [&](std::int64_t down) { return (down * rule.upRatio + rule.downRatio - 1) / rule.downRatio; };
        constexpr std::int64_t mostOfASwitch = 65'536; // as a document may state
        const std::int64_t most = std::max<std::int64_t>(rule.upRatio, of(rule.downPorts));
        return static_cast<int>(std::min({of(used), most, mostOfASwitch}));
    }

    // By key of the lowers, in order of their runs.
    std::unordered_map<std::uint64_t, std::vector<Uppers>> groupsOf(const WiringRule& rule, Members lowers, Members uppers) const {
        std::unordered_map<std::uint64_t, std::vector<Uppers>> groups;
        const bool byOwnKey = (rule.groupByRail || rule.groupByPlane) && !rule.groupByIndex;
        const std::size_t runs = byOwnKey ? 0 : runsOfKeys(rule, lowers);
        for (std::size_t at = 0, number = 0; at < uppers.size(); ++number) {
            const std::uint64_t key = byOwnKey ? keyOf(rule, uppers[at]) : number / runs;
            auto size = static_cast<std::size_t>(rule.uppersPerGroup);
            if (size == 0) // all of the key
                for (size = 1; at + size < uppers.size() && (!byOwnKey || keyOf(rule, uppers[at + size]) == key);) ++size;
            if (at + size > uppers.size()) break;
            groups[key].emplace_back(uppers.subspan(at, size));
            at += size;
        }
        return groups;
    }

    std::uint64_t keyOf(const WiringRule& rule, DeviceId lower) const {
        const DeviceTable& devices = m_write.fabric.devices;
        const std::uint64_t own = rule.groupByRail ? devices.rail[lower] - 1 : rule.groupByIndex ? devices.index[lower] - 1 : 0;
        if (!rule.groupByPlane) return own;
        return own + (devices.plane[lower] - 1) * (rule.groupByRail ? static_cast<std::uint64_t>(rule.rails) : 1);
    }
    std::size_t runsOfKeys(const WiringRule& rule, Members lowers) const {
        if (rule.run == 0) return 1;
        std::unordered_map<std::uint64_t, std::size_t> sizes;
        std::size_t most = 0;
        for (const DeviceId lower : lowers) most = std::max(most, ++sizes[keyOf(rule, lower)]);
        return (most + static_cast<std::size_t>(rule.run) - 1) / static_cast<std::size_t>(rule.run);
    }

    LinkWriter& m_write;
};

} // namespace

void wireUplinks(LinkWriter& write, const WiringRule& rule, std::span<const DeviceId> lowers, std::span<const DeviceId> uppers,
                 std::uint8_t speed) {
    UplinkWiring wiring(write);
    if (rule.pattern == WiringPattern::Spread)
        wiring.wireSpread(rule, lowers, uppers, speed);
    else
        wiring.wireManager(rule, lowers, uppers, speed);
}

} // namespace railyard
