#include "core/bisection/witness/balanced_cut.h"

#include <algorithm>
#include <array>

namespace railyard {
namespace {

// Nodes of a flow network: 0 and 1 are the two sides, then the switches, then what has to be spelled out.
constexpr std::uint32_t sideNode(bool a) { return a ? 0 : 1; }
constexpr std::uint32_t switchNode(std::uint32_t v) { return v + 2; }

// HB links only count where a domain is divided: one that is whole sends from each NIC what its own GPUs may send.
// Returns the number of nodes.
std::uint32_t spellOutDividedDomains(const BisectionProblem& q, const std::vector<bool>& sideA, Cut& cut) {
    auto nodes = static_cast<std::uint32_t>(q.graph.device.size() + 2);
    cut.node.assign(q.fabric.devices.size(), none);
    if (q.key != BisectionKey::GpuWithHb) return nodes;
    std::vector<std::uint8_t> sides(q.fabric.hbDomains.size());
    for (std::size_t e = 0; e < q.ends.size(); ++e)
        if (const auto domain = q.ends.hbDomain[e]; domain != none)
            sides[domain] = static_cast<std::uint8_t>(sides[domain] | (sideA[e] ? 1 : 2));
    for (const DeviceId d : q.fabric.devices.ids()) {
        const DeviceKind kind = q.fabric.devices.kind[d];
        const auto domain = q.fabric.devices.hbDomain[d];
        if ((kind == DeviceKind::Gpu || kind == DeviceKind::HbSwitch) && domain != none && sides[domain] == 3) cut.node[d] = nodes++;
    }
    return nodes;
}

// The cuts between tiers of one partition, each switch on the side of most of what hangs below. Groups whose pairs are all
// alike count by their switches.
class BetweenTiers {
public:
    static constexpr std::size_t tiers = 4; // above none, leaves, spines, superspines

    BetweenTiers(const BisectionProblem& q, const std::vector<bool>& sideA)
        : m_q(q),
          m_graph(q.graph),
          m_sideA(sideA),
          m_onA(m_graph.device.size()),
          m_pull(m_graph.device.size()) {
        for (const auto& group : m_graph.groups) m_isByGroup.push_back(group.regular && leadsUpInTiers(m_graph, group));
        takeSides();
        addUp();
    }
    bool isOnA(std::uint32_t v) const { return m_onA[v] != 0; }
    std::size_t tierOf(std::uint32_t v) const { return static_cast<std::size_t>(m_graph.tier[v]); }

    // A link is cut by all cuts between its ends where the lower stands on A, by all above it where its ends stand apart.
    std::array<Bandwidth, tiers> values() const {
        std::array<Bandwidth, tiers> value{};
        for (std::size_t t = 0; t < tiers; ++t)
            for (std::size_t lower = 0; lower <= t; ++lower)
                for (std::size_t upper = lower; upper <= tiers; ++upper)
                    value[t] += upper <= t ? m_sums[lower][upper].separated : m_sums[lower][upper].lowerOnA;
        return value;
    }

private:
    struct Sum {
        Bandwidth lowerOnA, separated;
    };

    // Tier by tier: what hangs below a switch pulls towards side A where it is above 0.
    void takeSides() {
        for (const auto& a : m_q.ends.attachments) m_pull[a.node] += m_sideA[a.endpoint] ? a.capacity : -a.capacity;
        std::vector<Bandwidth> ofGroup(m_graph.groups.size()); // of every upper alike
        for (std::size_t t = 1; t < tiers; ++t)
            for (NodeId v(0); v < m_pull.size(); ++v) {
                if (tierOf(v) != t) continue;
                const auto below = m_graph.groupBelow[v], above = m_graph.groupAbove[v];
                if (below != none) m_pull[v] += ofGroup[below];
                m_onA[v] = m_pull[v] > Bandwidth();
                const double sign = isOnA(v) ? 1 : -1;
                if (above != none && m_isByGroup[above])
                    ofGroup[above] += sign * pairOf(above);
                else
                    for (const auto& edge : m_graph.edgesAbove(v)) m_pull[edge.upper] += sign * edge.capacity;
            }
    }

    void addUp() {
        for (const auto& a : m_q.ends.attachments) add(0, tierOf(a.node), m_sideA[a.endpoint], isOnA(a.node), a.capacity);
        for (std::uint32_t g = 0; g < m_graph.groups.size(); ++g)
            if (m_isByGroup[g])
                addGroup(g);
            else
                for (const auto v : m_graph.groups[g].lowers)
                    for (const auto& edge : m_graph.edgesAbove(v)) addEdge(edge);
    }
    void add(std::size_t lower, std::size_t upper, bool lowerOnA, bool upperOnA, Bandwidth capacity) {
        Sum& sum = m_sums[lower][upper];
        sum.lowerOnA += lowerOnA ? capacity : Bandwidth();
        sum.separated += lowerOnA != upperOnA ? capacity : Bandwidth();
    }
    void addEdge(const SwitchGraph::Edge& edge) {
        const bool rises = tierOf(edge.lower) <= tierOf(edge.upper);
        const auto low = rises ? edge.lower : edge.upper, high = rises ? edge.upper : edge.lower;
        add(tierOf(low), tierOf(high), isOnA(low), isOnA(high), edge.capacity);
    }
    void addGroup(std::uint32_t g) {
        const auto& group = m_graph.groups[g];
        const double lowers = static_cast<double>(group.lowers.size()), uppers = static_cast<double>(group.uppers.size());
        const double lowersOnA = countOnA(group.lowers), uppersOnA = countOnA(group.uppers);
        Sum& sum = m_sums[tierOf(group.lowers[0])][tierOf(group.uppers[0])];
        sum.lowerOnA += pairOf(g) * lowersOnA * uppers;
        sum.separated += pairOf(g) * (lowersOnA * (uppers - uppersOnA) + (lowers - lowersOnA) * uppersOnA);
    }
    double countOnA(const std::vector<NodeId>& nodes) const {
        return static_cast<double>(std::count_if(nodes.begin(), nodes.end(), [&](std::uint32_t v) { return isOnA(v); }));
    }

    Bandwidth pairOf(std::uint32_t g) const { return m_graph.edgesAbove(m_graph.groups[g].lowers[0]).front().capacity; }

    const BisectionProblem& m_q;
    const SwitchGraph& m_graph;
    const std::vector<bool>& m_sideA;
    std::vector<bool> m_isByGroup;
    std::vector<std::uint8_t> m_onA;
    std::vector<Bandwidth> m_pull;
    std::array<std::array<Sum, tiers + 1>, tiers + 1> m_sums{};
};

bool isOnOneSide(const Cut& cut, const SwitchGraph::Group& group) {
    const auto isAsFirst = [&](NodeId v) { return cut.isOnA(v) == cut.isOnA(group.lowers[0]); };
    return std::all_of(group.lowers.begin(), group.lowers.end(), isAsFirst) &&
           std::all_of(group.uppers.begin(), group.uppers.end(), isAsFirst);
}

} // namespace

BisectionProblem problemOf(const Fabric& fabric, BisectionKey key) {
    BisectionProblem q{fabric, key, trafficGraphOf(fabric), {}};
    q.ends = endpointsOf(fabric, q.graph, key);
    return q;
}

namespace {

// An endpoint sends and takes no more than its NIC ports could.
Cut cutWithHb(const BisectionProblem& q, const std::vector<bool>& sideA) {
    Cut cut;
    MaxFlow flow(spellOutDividedDomains(q, sideA, cut));
    const auto nodeOf = [&](std::size_t endpoint) { return q.ends.gpu.empty() ? none : cut.node[q.ends.gpu[endpoint]]; };
    for (const auto& edge : q.graph.edges) flow.addEdge(switchNode(edge.lower), switchNode(edge.upper), edge.capacity);
    std::vector<Bandwidth> toA(q.graph.device.size()), toB(q.graph.device.size());
    for (const auto& a : q.ends.attachments) {
        if (nodeOf(a.endpoint) != none)
            flow.addEdge(nodeOf(a.endpoint), switchNode(a.node), a.capacity);
        else
            (sideA[a.endpoint] ? toA : toB)[a.node] += a.capacity;
    }
    for (const NodeId v : q.graph.nodes()) {
        flow.addEdge(0, switchNode(v), toA[v]);
        flow.addEdge(1, switchNode(v), toB[v]);
    }
    for (std::size_t e = 0; e < q.ends.size(); ++e)
        if (nodeOf(e) != none) flow.addEdge(sideNode(sideA[e]), nodeOf(e), q.ends.speed[e]);
    const LinkTable& links = q.fabric.links;
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Hb && cut.node[links.a[l]] != none && cut.node[links.b[l]] != none)
            flow.addEdge(cut.node[links.a[l]], cut.node[links.b[l]], q.fabric.speedOf(l));
    cut.value = flow.run(0, 1);
    cut.sourceSide = flow.sourceSide();
    return cut;
}

} // namespace

CutNetwork::CutNetwork(const BisectionProblem& q) : m_q(q) {
    if (q.key == BisectionKey::GpuWithHb) return;
    m_merged = mergedSwitchesOf(q);
    m_flow.emplace(m_merged.count + 2);
    for (const auto& link : m_merged.links) m_flow->addEdge(switchNode(link.lower), switchNode(link.upper), link.capacity);
    m_toA.resize(m_merged.count);
    m_toB.resize(m_merged.count);
    std::vector<bool> hasEnds(m_merged.count);
    for (const auto& a : m_merged.attachments) hasEnds[a.at] = true;
    for (std::uint32_t v = 0; v < m_merged.count; ++v)
        if (hasEnds[v]) m_ports.push_back({v, m_flow->addEdge(0, switchNode(v), {}), m_flow->addEdge(1, switchNode(v), {})});
}

Bandwidth CutNetwork::valueBelow(const std::vector<bool>& sideA, Bandwidth limit) {
    if (!m_flow) return cutWithHb(m_q, sideA).value;
    for (const Port& port : m_ports) m_toA[port.at] = m_toB[port.at] = {};
    for (const auto& a : m_merged.attachments) (sideA[a.endpoint] ? m_toA : m_toB)[a.at] += a.capacity;
    for (const Port& port : m_ports) {
        m_flow->setCapacity(port.toA, m_toA[port.at]);
        m_flow->setCapacity(port.toB, m_toB[port.at]);
    }
    return m_flow->run(0, 1, limit);
}

std::optional<Cut> CutNetwork::cutBelow(const std::vector<bool>& sideA, Bandwidth limit) {
    const auto below = [&](Cut cut) { return cut.value < limit ? std::optional(std::move(cut)) : std::nullopt; };
    if (!m_flow) return below(cutWithHb(m_q, sideA));
    Cut cut;
    cut.value = valueBelow(sideA, limit);
    if (cut.value >= limit) return {};
    if (!m_q.ends.gpu.empty()) cut.node.assign(m_q.fabric.devices.size(), none);
    const std::vector<bool> merged = m_flow->sourceSide();
    cut.sourceSide.resize(m_q.graph.device.size() + 2);
    for (const bool side : {true, false}) cut.sourceSide[sideNode(side)] = merged[sideNode(side)];
    for (const NodeId v : m_q.graph.nodes()) cut.sourceSide[switchNode(v)] = merged[switchNode(m_merged.number[v])];
    return cut;
}

Cut cutOf(const BisectionProblem& q, const std::vector<bool>& sideA) { return CutNetwork(q).cut(sideA); }

std::optional<Cut> cheapestBetweenTiers(const BisectionProblem& q, const std::vector<bool>& sideA) {
    const std::size_t nodes = q.graph.device.size();
    Cut cut;
    if (spellOutDividedDomains(q, sideA, cut) > nodes + 2) return {};
    const BetweenTiers between(q, sideA);
    const auto value = between.values();
    const auto cheapest = static_cast<std::size_t>(std::min_element(value.begin(), value.end()) - value.begin());
    cut.value = value[cheapest];
    cut.sourceSide.assign(nodes + 2, false);
    cut.sourceSide[sideNode(true)] = true;
    for (std::uint32_t v = 0; v < nodes; ++v) cut.sourceSide[switchNode(v)] = between.isOnA(v) && between.tierOf(v) <= cheapest;
    return cut;
}

void describeCut(const BisectionProblem& q, const std::vector<bool>& sideA, const Cut& cut, Bisection& result) {
    struct Sum {
        std::int64_t links = 0;
        Bandwidth capacity;
    };
    std::array<Sum, static_cast<std::size_t>(LinkTier::Pcie) + 1> sums{};
    const auto add = [&](LinkTier tier, std::int64_t links, Bandwidth capacity) {
        sums[static_cast<std::size_t>(tier)].links += links;
        sums[static_cast<std::size_t>(tier)].capacity += capacity;
    };
    for (const auto& group : q.graph.groups) {
        if (isOnOneSide(cut, group)) continue;
        for (const auto v : group.lowers)
            for (const auto& edge : q.graph.edgesAbove(v))
                if (cut.isOnA(v) != cut.isOnA(edge.upper)) add(edge.tier, edge.links, edge.capacity);
    }
    for (const auto& a : q.ends.attachments) {
        const auto node = q.ends.gpu.empty() ? none : cut.node[q.ends.gpu[a.endpoint]];
        const bool own = node == none ? sideA[a.endpoint] : cut.sourceSide[node];
        const bool portCut = cut.isOnA(a.node) != own, isCutOff = own != sideA[a.endpoint];
        if (portCut || isCutOff) add(LinkTier::HostLeaf, 1, portCut ? a.capacity : Bandwidth());
    }
    // A GPU cut off from its own side counts by what it may send over NIC ports, which is what bounds it.
    for (std::size_t e = 0; e < q.ends.gpu.size(); ++e)
        if (const auto node = cut.node[q.ends.gpu[e]]; node != none && cut.sourceSide[node] != sideA[e])
            add(LinkTier::HostLeaf, 0, q.ends.speed[e]);
    const LinkTable& links = q.fabric.links;
    const std::size_t wired = q.key == BisectionKey::GpuWithHb ? links.size() : 0; // HB links count only where they may be used
    for (const LinkId l : indices<LinkId>(wired)) {
        if (links.tier[l] != LinkTier::Hb || cut.node[links.a[l]] == none || cut.node[links.b[l]] == none) continue;
        if (cut.sourceSide[cut.node[links.a[l]]] != cut.sourceSide[cut.node[links.b[l]]]) add(LinkTier::Hb, 1, q.fabric.speedOf(l));
    }
    for (std::size_t t = 0; t < sums.size(); ++t) {
        if (sums[t].links == 0 && sums[t].capacity <= Bandwidth()) continue;
        const std::string tier{toText(static_cast<LinkTier>(t))};
        result.cutLinks[tier] = sums[t].links;
        result.cutGbps[tier] = inGbps(sums[t].capacity);
    }
}

} // namespace railyard
