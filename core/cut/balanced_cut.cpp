#include "core/cut/balanced_cut.h"

#include "core/cut/max_flow.h"

#include <algorithm>
#include <array>

namespace railyard {
namespace {

// Nodes of a flow network: 0 and 1 are the two sides, then the switches, then what has to be spelled out.
constexpr std::uint32_t sideNode(bool a) { return a ? 0 : 1; }
constexpr std::uint32_t switchNode(std::uint32_t v) { return v + 2; }

// HB links only count where a domain is divided: one that is whole sends from each NIC what its own GPUs may send.
// Returns the number of nodes.
std::uint32_t spellOutDividedDomains(const Question& q, const std::vector<bool>& sideA, Cut& cut) {
    auto nodes = static_cast<std::uint32_t>(q.graph.device.size() + 2);
    cut.node.assign(q.fabric.devices.size(), none);
    if (q.key != BisectionKey::GpuWithHb) return nodes;
    std::vector<std::uint8_t> sides(q.fabric.hbDomains.size());
    for (std::size_t e = 0; e < q.ends.size(); ++e)
        if (const std::uint32_t domain = q.ends.hbDomain[e]; domain != none)
            sides[domain] = static_cast<std::uint8_t>(sides[domain] | (sideA[e] ? 1 : 2));
    for (std::uint32_t d = 0; d < q.fabric.devices.size(); ++d) {
        const DeviceKind kind = q.fabric.devices.kind[d];
        const std::uint32_t domain = q.fabric.devices.hbDomain[d];
        if ((kind == DeviceKind::Gpu || kind == DeviceKind::HbSwitch) && domain != none && sides[domain] == 3) cut.node[d] = nodes++;
    }
    return nodes;
}

} // namespace

Question ask(const Fabric& fabric, BisectionKey key) {
    Question q{fabric, key, switchGraphOf(fabric), {}};
    q.ends = endpointsOf(fabric, q.graph, key);
    return q;
}

Cut cutOf(const Question& q, const std::vector<bool>& sideA) {
    Cut cut;
    MaxFlow flow(spellOutDividedDomains(q, sideA, cut));
    const auto nodeOf = [&](std::size_t endpoint) { return q.ends.gpu.empty() ? none : cut.node[q.ends.gpu[endpoint]]; };
    for (const auto& edge : q.graph.edges) flow.addEdge(switchNode(edge.lower), switchNode(edge.upper), edge.capacity.value());
    std::vector<double> toA(q.graph.device.size()), toB(q.graph.device.size());
    for (const auto& a : q.ends.attachments) {
        if (nodeOf(a.endpoint) != none)
            flow.addEdge(nodeOf(a.endpoint), switchNode(a.node), a.capacity);
        else
            (sideA[a.endpoint] ? toA : toB)[a.node] += a.capacity;
    }
    for (std::uint32_t v = 0; v < q.graph.device.size(); ++v) {
        flow.addEdge(0, switchNode(v), toA[v]);
        flow.addEdge(1, switchNode(v), toB[v]);
    }
    if (q.key == BisectionKey::GpuWithHb) { // an endpoint sends and takes no more than its NIC ports could
        for (std::size_t e = 0; e < q.ends.size(); ++e)
            if (nodeOf(e) != none) flow.addEdge(sideNode(sideA[e]), nodeOf(e), q.ends.speed[e]);
        const LinkTable& links = q.fabric.links;
        for (std::size_t l = 0; l < links.size(); ++l)
            if (links.tier[l] == LinkTier::Hb && cut.node[links.a[l]] != none && cut.node[links.b[l]] != none)
                flow.addEdge(cut.node[links.a[l]], cut.node[links.b[l]], q.fabric.speedOf(l).value());
    }
    cut.value = flow.run(0, 1);
    cut.sourceSide = flow.sourceSide();
    return cut;
}

std::optional<Cut> cheapestBetweenTiers(const Question& q, const std::vector<bool>& sideA) {
    constexpr std::size_t tiers = 4; // above none, leaves, spines, superspines
    const SwitchGraph& graph = q.graph;
    Cut cut;
    if (spellOutDividedDomains(q, sideA, cut) > graph.device.size() + 2) return {};
    const auto tierOf = [&](std::uint32_t v) { return static_cast<std::size_t>(graph.tier[v]); };
    std::vector<std::uint8_t> onA(graph.device.size());
    std::vector<double> pull(graph.device.size()); // of what hangs below: towards side A above 0
    for (const auto& a : q.ends.attachments) pull[a.node] += sideA[a.endpoint] ? a.capacity : -a.capacity;
    for (std::size_t t = 1; t < tiers; ++t) {
        for (std::uint32_t v = 0; v < pull.size(); ++v)
            if (tierOf(v) == t) onA[v] = pull[v] > 0;
        for (const auto& edge : graph.edges)
            if (tierOf(edge.lower) == t) pull[edge.upper] += (onA[edge.lower] != 0 ? 1 : -1) * edge.capacity.value();
    }
    // A link is cut by all cuts between its ends where the lower stands on A, by all above it where its ends stand apart.
    std::array<double, tiers + 1> value{};
    const auto add = [&](std::size_t lower, std::size_t upper, bool lowerOnA, bool upperOnA, double capacity) {
        for (std::size_t t = lower; t < std::min(upper, tiers); ++t) value[t] += lowerOnA ? capacity : 0;
        for (std::size_t t = upper; t < tiers; ++t) value[t] += lowerOnA != upperOnA ? capacity : 0;
    };
    for (const auto& a : q.ends.attachments) add(0, tierOf(a.node), sideA[a.endpoint], onA[a.node] != 0, a.capacity);
    for (const auto& edge : graph.edges) {
        const bool rises = tierOf(edge.lower) <= tierOf(edge.upper);
        const std::uint32_t low = rises ? edge.lower : edge.upper, high = rises ? edge.upper : edge.lower;
        add(tierOf(low), tierOf(high), onA[low] != 0, onA[high] != 0, edge.capacity.value());
    }
    const auto cheapest = static_cast<std::size_t>(std::min_element(value.begin(), value.begin() + tiers) - value.begin());
    cut.value = value[cheapest];
    cut.sourceSide.assign(graph.device.size() + 2, false);
    cut.sourceSide[sideNode(true)] = true;
    for (std::uint32_t v = 0; v < pull.size(); ++v) cut.sourceSide[switchNode(v)] = onA[v] != 0 && tierOf(v) <= cheapest;
    return cut;
}

void describeCut(const Question& q, const std::vector<bool>& sideA, const Cut& cut, Bisection& result) {
    struct Sum {
        std::int64_t links = 0;
        double capacity = 0;
    };
    std::array<Sum, static_cast<std::size_t>(LinkTier::Pcie) + 1> sums{};
    const auto add = [&](LinkTier tier, std::int64_t links, double capacity) {
        sums[static_cast<std::size_t>(tier)].links += links;
        sums[static_cast<std::size_t>(tier)].capacity += capacity;
    };
    for (const auto& edge : q.graph.edges)
        if (cut.isOnA(edge.lower) != cut.isOnA(edge.upper)) add(edge.tier, edge.links, edge.capacity.value());
    for (const auto& a : q.ends.attachments) {
        const std::uint32_t node = q.ends.gpu.empty() ? none : cut.node[q.ends.gpu[a.endpoint]];
        const bool own = node == none ? sideA[a.endpoint] : cut.sourceSide[node];
        const bool portCut = cut.isOnA(a.node) != own;
        // A GPU cut off from its own side counts by its NIC ports, which are what bounds it.
        if (portCut || own != sideA[a.endpoint])
            add(LinkTier::HostLeaf, 1, a.capacity * ((portCut ? 1 : 0) + (own != sideA[a.endpoint] ? 1 : 0)));
    }
    const LinkTable& links = q.fabric.links;
    for (std::size_t l = 0; q.key == BisectionKey::GpuWithHb && l < links.size(); ++l) {
        if (links.tier[l] != LinkTier::Hb || cut.node[links.a[l]] == none || cut.node[links.b[l]] == none) continue;
        if (cut.sourceSide[cut.node[links.a[l]]] != cut.sourceSide[cut.node[links.b[l]]]) add(LinkTier::Hb, 1, q.fabric.speedOf(l).value());
    }
    for (std::size_t t = 0; t < sums.size(); ++t) {
        if (sums[t].links == 0) continue;
        const std::string tier{toText(static_cast<LinkTier>(t))};
        result.cutLinks[tier] = sums[t].links;
        result.cutGbps[tier] = sums[t].capacity / 1e9;
    }
}

} // namespace railyard
