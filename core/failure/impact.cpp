#include "core/failure/impact.h"

#include "core/fabric/switch_graph.h"

#include <algorithm>
#include <array>

namespace railyard {
namespace {

constexpr double relative = 1e-9; // capacities are sums of whole speeds

class ImpactFinder {
public:
    ImpactFinder(const Fabric& fabric, const Removal& removal)
        : m_fabric(fabric),
          m_removal(removal),
          m_graph(trafficGraphOf(fabric)),
          m_nodeOf(nodesOfDevices(fabric, m_graph)),
          m_domains(fabric.hbDomains.size() + fabric.devices.size()),
          m_nics(fabric.devices.size()) {}

    Impacts find() {
        findWays();
        findDegradedSwitches();
        Impacts impacts;
        impacts.ofDevices.assign(m_fabric.devices.size(), Impact::None);
        for (const DeviceId d : m_fabric.devices.ids())
            if (hasFailed(d)) impacts.ofDevices[d] = Impact::Failed;
        degradeByNics(impacts);
        degradeByHbLinks(impacts);
        for (const DeviceId d : m_fabric.devices.ids()) {
            if (!m_fabric.devices.isGpu(d)) continue;
            Impact& own = impacts.ofDevices[d];
            const Ways& ways = m_domains[domainOf(d)];
            if (own != Impact::Failed && ways.before > 0 && ways.now == 0) own = Impact::CutOff;
            impacts.failed += own == Impact::Failed ? 1 : 0;
            impacts.cutOff += own == Impact::CutOff ? 1 : 0;
            impacts.degraded += own == Impact::Degraded ? 1 : 0;
        }
        return impacts;
    }

private:
    struct Ways { // out of an HB domain, or of a NIC, in bit/s
        double before = 0, now = 0;
        bool isDegraded = false; // one of its switches is
        bool areFewer() const { return now < before * (1 - relative) || isDegraded; }
    };

    bool hasFailed(DeviceId device) const { return m_removal.hasFailed(device); }
    bool hasFailed(LinkId link) const { return m_removal.hasFailed(m_fabric, link); }
    // A GPU or NIC without an HB domain is its own.
    std::size_t domainOf(DeviceId device) const {
        const DomainId domain = m_fabric.devices.hbDomain[device];
        return domain != none ? std::size_t{domain} : m_fabric.hbDomains.size() + std::size_t{device};
    }

    void findWays() {
        for (const SwitchGraph::Host& host : m_graph.hosts) {
            const double capacity = host.capacity.value(), now = hasFailed(host.link) ? 0 : capacity;
            for (Ways* ways : {&m_nics[host.nic], &m_domains[domainOf(host.nic)]}) ways->before += capacity, ways->now += now;
        }
    }
    // The share of what comes from below that a switch can carry up, before and now; what hangs below one that fell is degraded.
    void findDegradedSwitches() {
        const std::size_t nodes = m_graph.device.size();
        By<NodeId, Ways> down(nodes), up(nodes);
        for (const SwitchGraph::Host& host : m_graph.hosts) {
            down[host.node].before += host.capacity.value();
            if (!hasFailed(host.link)) down[host.node].now += host.capacity.value();
        }
        By<NodeId, std::vector<NodeId>> above(nodes);
        constexpr int tiers = 5;
        std::array<std::vector<std::pair<LinkId, bool>>, tiers> links; // by the tier of the upper end; whether it works
        for (const LinkId l : m_fabric.links.ids()) {
            if (!m_fabric.isNetworkLink(l)) continue;
            const NodeId lower = m_nodeOf[m_fabric.links.a[l]], upper = m_nodeOf[m_fabric.links.b[l]];
            if (lower == none || upper == none) continue;
            const double capacity = m_fabric.speedOf(l).value();
            const bool works = !hasFailed(l);
            links.at(static_cast<std::size_t>(m_graph.tier[upper])).emplace_back(l, works);
            up[lower].before += capacity;
            if (!works) continue;
            up[lower].now += capacity;
            if (above[lower].empty() || above[lower].back() != upper) above[lower].push_back(upper);
        }
        // What comes from below when all NICs send: no more than the NICs there can.
        for (const auto& ofTier : links)
            for (const auto& [l, works] : ofTier) {
                const NodeId lower = m_nodeOf[m_fabric.links.a[l]], upper = m_nodeOf[m_fabric.links.b[l]];
                const double capacity = m_fabric.speedOf(l).value();
                down[upper].before += capacity * std::min(1.0, down[lower].before / up[lower].before);
                if (works) down[upper].now += capacity * std::min(1.0, down[lower].now / up[lower].now);
            }
        const auto carried = [](double ofUp, double ofDown) { return ofDown > 0 ? std::min(1.0, ofUp / ofDown) : 1.0; };
        m_isDegraded.assign(nodes, false);
        for (int tier = tiers - 1; tier >= 0; --tier)
            for (const NodeId node : m_graph.nodes()) {
                if (static_cast<int>(m_graph.tier[node]) != tier) continue;
                const bool isOwn = up[node].before > 0 &&
                                   carried(up[node].now, down[node].now) < carried(up[node].before, down[node].before) * (1 - relative);
                m_isDegraded[node] = isOwn || std::any_of(above[node].begin(), above[node].end(), [&](NodeId upper) {
                                         return m_isDegraded[upper] && m_graph.tier[upper] != m_graph.tier[node];
                                     });
            }
        for (const SwitchGraph::Host& host : m_graph.hosts)
            if (m_isDegraded[host.node]) m_nics[host.nic].isDegraded = true;
    }
    void degradeByNics(Impacts& impacts) const {
        for (const LinkId l : m_fabric.links.ids()) {
            if (m_fabric.links.tier[l] != LinkTier::Pcie) continue;
            const DeviceId a = m_fabric.links.a[l], b = m_fabric.links.b[l], gpu = m_fabric.devices.isGpu(a) ? a : b,
                           nic = gpu == a ? b : a;
            if (!m_fabric.devices.isGpu(gpu) || !m_fabric.devices.isNic(nic)) continue;
            if (m_nics[nic].areFewer() || hasFailed(l)) degrade(gpu, impacts);
        }
    }
    void degradeByHbLinks(Impacts& impacts) const {
        for (const LinkId l : m_fabric.links.ids())
            if (m_fabric.links.tier[l] == LinkTier::Hb && hasFailed(l))
                for (const DeviceId end : {m_fabric.links.a[l], m_fabric.links.b[l]})
                    if (m_fabric.devices.isGpu(end)) degrade(end, impacts);
    }
    static void degrade(DeviceId gpu, Impacts& impacts) { impacts.ofDevices[gpu] = std::max(impacts.ofDevices[gpu], Impact::Degraded); }

    const Fabric& m_fabric;
    const Removal& m_removal;
    const SwitchGraph m_graph;
    const By<DeviceId, NodeId> m_nodeOf;
    std::vector<Ways> m_domains; // by domainOf
    By<DeviceId, Ways> m_nics;
    By<NodeId, bool> m_isDegraded;
};

} // namespace

Impacts impactOf(const Fabric& intact, const Removal& removal) {
    const auto isAny = [](const std::vector<bool>& marks) { return std::find(marks.begin(), marks.end(), true) != marks.end(); };
    if (!isAny(removal.devices) && !isAny(removal.links)) return {};
    return ImpactFinder(intact, removal).find();
}

} // namespace railyard
