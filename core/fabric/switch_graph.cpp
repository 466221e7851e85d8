#include "core/fabric/switch_graph.h"

#include <algorithm>
#include <numeric>

namespace railyard {
namespace {

class Sets { // union-find
public:
    explicit Sets(std::size_t count) : m_parent(count) { std::iota(m_parent.begin(), m_parent.end(), 0U); }
    std::uint32_t find(std::uint32_t x) {
        while (m_parent[x] != x) x = m_parent[x] = m_parent[m_parent[x]];
        return x;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        m_parent[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> m_parent;
};

void collectLinks(const Fabric& fabric, const std::vector<std::uint32_t>& nodeOf, SwitchGraph& graph) {
    const LinkTable& links = fabric.links;
    graph.edges.reserve(links.size());
    graph.hosts.reserve(links.size());
    for (std::size_t l = 0; l < links.size(); ++l) {
        if (!fabric.isNetworkLink(l)) continue;
        const std::uint32_t lower = nodeOf[links.a[l]], upper = nodeOf[links.b[l]];
        if (lower != none && upper != none)
            graph.edges.push_back({lower, upper, 1, fabric.speedOf(l), links.tier[l]});
        else if (upper != none && fabric.devices.kind[links.a[l]] == DeviceKind::Nic)
            graph.hosts.push_back({links.a[l], upper, fabric.speedOf(l), links.aPort[l]});
        else if (lower == none && upper == none)
            graph.direct.emplace_back(links.a[l], links.b[l]);
    }
}

void mergeParallel(std::vector<SwitchGraph::Edge>& edges) {
    const auto before = [](const auto& x, const auto& y) { return std::pair(x.lower, x.upper) < std::pair(y.lower, y.upper); };
    if (!std::is_sorted(edges.begin(), edges.end(), before)) std::stable_sort(edges.begin(), edges.end(), before);
    std::size_t to = 0;
    for (std::size_t from = 0; from < edges.size(); ++from) {
        if (to > 0 && edges[to - 1].lower == edges[from].lower && edges[to - 1].upper == edges[from].upper) {
            edges[to - 1].links += edges[from].links;
            edges[to - 1].capacity += edges[from].capacity;
        } else {
            edges[to++] = edges[from];
        }
    }
    edges.resize(to);
}

void findNetworks(SwitchGraph& graph) {
    Sets sets(graph.device.size());
    for (const auto& edge : graph.edges) sets.join(edge.lower, edge.upper);
    std::vector<std::uint32_t> number(graph.device.size(), none);
    graph.network.resize(graph.device.size());
    for (std::uint32_t v = 0; v < graph.device.size(); ++v) {
        std::uint32_t& own = number[sets.find(v)];
        if (own == none) own = graph.networks++;
        graph.network[v] = own;
    }
}

void findGroups(SwitchGraph& graph) {
    const std::size_t nodes = graph.device.size();
    Sets sets(nodes * 2); // a switch is a lower (v) in one group and an upper (nodes + v) in another
    for (const auto& edge : graph.edges) sets.join(edge.lower, static_cast<std::uint32_t>(nodes + edge.upper));
    std::vector<std::uint32_t> number(nodes * 2, none);
    graph.groupAbove.assign(nodes, none);
    graph.groupBelow.assign(nodes, none);
    std::vector<std::size_t> edgesOf;
    std::vector<Bandwidth> capacityOf;
    const auto groupOf = [&](const SwitchGraph::Edge& edge) {
        std::uint32_t& own = number[sets.find(edge.lower)];
        if (own == none) {
            own = static_cast<std::uint32_t>(graph.groups.size());
            graph.groups.push_back({edge.tier, {}, {}, true});
            edgesOf.push_back(0);
            capacityOf.push_back(edge.capacity);
        }
        return own;
    };
    for (const auto& edge : graph.edges) {
        const std::uint32_t g = groupOf(edge);
        if (graph.groupAbove[edge.lower] == none) graph.groups[g].lowers.push_back(edge.lower);
        if (graph.groupBelow[edge.upper] == none) graph.groups[g].uppers.push_back(edge.upper);
        graph.groupAbove[edge.lower] = graph.groupBelow[edge.upper] = g;
        ++edgesOf[g];
        if (edge.capacity != capacityOf[g]) graph.groups[g].even = false;
    }
    for (std::size_t g = 0; g < graph.groups.size(); ++g) {
        auto& group = graph.groups[g];
        group.even = group.even && edgesOf[g] == group.lowers.size() * group.uppers.size();
        graph.even = graph.even && group.even;
    }
}

} // namespace

SwitchGraph switchGraphOf(const Fabric& fabric) {
    SwitchGraph graph;
    std::vector<std::uint32_t> nodeOf(fabric.devices.size(), none);
    for (std::uint32_t d = 0; d < fabric.devices.size(); ++d) {
        if (fabric.devices.kind[d] != DeviceKind::Switch) continue;
        nodeOf[d] = static_cast<std::uint32_t>(graph.device.size());
        graph.device.push_back(d);
        graph.tier.push_back(fabric.devices.tier[d]);
    }
    collectLinks(fabric, nodeOf, graph);
    mergeParallel(graph.edges);
    findNetworks(graph);
    findGroups(graph);
    return graph;
}

} // namespace railyard
