#include "core/fabric/switch_graph.h"

#include "core/base/disjoint_sets.h"
#include "core/fabric/network_runs.h"

#include <algorithm>
#include <utility>

namespace railyard {

bool comesBefore(const SwitchGraph::Edge& x, const SwitchGraph::Edge& y) {
    return std::pair(x.lower, x.upper) < std::pair(y.lower, y.upper);
}

namespace {

// Returns the node of every device.
By<DeviceId, NodeId> takeSwitches(const Fabric& fabric, SwitchGraph& graph) {
    By<DeviceId, NodeId> nodeOf(fabric.devices.size(), none);
    graph.device = switchesOf(fabric.devices);
    for (const NodeId v : graph.nodes()) {
        nodeOf[graph.device[v]] = v;
        graph.tier.push_back(fabric.devices.tier[graph.device[v]]);
    }
    return nodeOf;
}

// The link of a NIC to a switch.
SwitchGraph::Host hostOf(const Fabric& fabric, LinkId l, NodeId node) {
    return {fabric.links.a[l], node, fabric.speedOf(l), fabric.links.aPort[l], l};
}

// Edges of one lower switch that follow one another. A recipe makes one run for each.
struct Run {
    NodeId lower;
    std::size_t begin = 0, end = 0;
    bool isSorted = true; // by upper, none twice
};

// Parallel links that follow one another become one edge at once.
std::vector<Run> collectLinks(const Fabric& fabric, const By<DeviceId, NodeId>& nodeOf, SwitchGraph& graph) {
    const LinkTable& links = fabric.links;
    auto& edges = graph.edges;
    const std::size_t toHosts = links.countOf(LinkTier::HostLeaf);
    graph.hosts.reserve(toHosts);
    edges.reserve(links.countNetworkLinks() - toHosts);
    std::vector<Run> runs;
    // Tables that stay where they are.
    const NodeId* const nodes = nodeOf.data();
    const DeviceId *const aOf = links.a.data(), *const bOf = links.b.data();
    const LinkTier* const tierOf = links.tier.data();
    const std::uint8_t* const speedOf = links.speed.data();
    const Bandwidth* const speeds = fabric.speeds.data();
    // The links from `l` on of one lower switch; returns the first that is not.
    const auto takeUplinks = [&](std::size_t l, std::size_t end, NodeId lower) {
        if (runs.empty() || runs.back().lower != lower) runs.push_back({lower, edges.size(), edges.size()});
        Run& run = runs.back();
        NodeId last = edges.size() > run.begin ? edges.back().upper : NodeId(none);
        bool isSorted = run.isSorted;
        for (const DeviceId device = aOf[l]; l < end && aOf[l] == device; ++l) {
            const NodeId upper = nodes[bOf[l]];
            if (upper == none) continue;
            const Bandwidth speed = speeds[speedOf[l]];
            if (upper == last) {
                ++edges.back().links;
                edges.back().capacity += speed;
                continue;
            }
            isSorted = isSorted && (last == none || last < upper);
            edges.push_back({lower, last = upper, 1, tierOf[l], speed});
        }
        run.isSorted = isSorted;
        run.end = edges.size();
        return l;
    };
    for (const LinkRun& run : networkRuns(links))
        for (std::size_t l = run.first; l < run.end;) {
            const DeviceId a = aOf[l];
            if (const NodeId lower = nodes[a]; lower != none) {
                l = takeUplinks(l, run.end, lower);
                continue;
            }
            const NodeId upper = nodes[bOf[l]];
            if (upper == none)
                graph.direct.emplace_back(a, bOf[l]);
            else if (fabric.devices.isNic(a))
                graph.hosts.push_back(hostOf(fabric, LinkId(l), upper));
            ++l;
        }
    return runs;
}

// Edges between the same two switches become one; returns how many are left.
std::size_t sortAndMerge(std::span<SwitchGraph::Edge> edges) {
    std::stable_sort(edges.begin(), edges.end(), comesBefore);
    std::size_t to = 0;
    for (const SwitchGraph::Edge& edge : edges) {
        if (to > 0 && edges[to - 1].lower == edge.lower && edges[to - 1].upper == edge.upper) {
            edges[to - 1].links += edge.links;
            edges[to - 1].capacity += edge.capacity;
        } else {
            edges[to++] = edge;
        }
    }
    return to;
}

// Moves whole runs; only what was drawn by hand has to be compared edge by edge.
void orderEdges(std::vector<SwitchGraph::Edge>& edges, std::vector<Run>& runs, std::size_t nodes) {
    std::vector<std::uint32_t> runOf(nodes, none);
    for (std::uint32_t r = 0; r < runs.size(); ++r)
        if (std::exchange(runOf[runs[r].lower], r) != none) return edges.resize(sortAndMerge(edges)); // several runs of one switch
    bool isInOrder = true;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        Run& run = runs[r];
        if (!run.isSorted) { // uplinks that go round the uppers begin in the middle and may meet one again
            const std::size_t before = run.end;
            run.end = run.begin + sortAndMerge(std::span(edges).subspan(run.begin, run.end - run.begin));
            isInOrder = isInOrder && run.end == before;
        }
        isInOrder = isInOrder && (r == 0 || runs[r - 1].lower < run.lower);
    }
    if (isInOrder) return;
    std::vector<SwitchGraph::Edge> sorted;
    sorted.reserve(edges.size());
    for (const auto r : runOf) {
        if (r == none) continue;
        const auto begin = edges.begin() + static_cast<std::ptrdiff_t>(runs[r].begin);
        sorted.insert(sorted.end(), begin, begin + static_cast<std::ptrdiff_t>(runs[r].end - runs[r].begin));
    }
    edges = std::move(sorted);
}

// What the edges upwards of a switch say of its group.
struct Uplinks {
    std::size_t edges = 0;
    Bandwidth capacity; // of the first
    bool areEqual = true;
};

// Looks at every edge once, as they are many.
void findGroups(SwitchGraph& graph) {
    const std::size_t nodes = graph.device.size(), edges = graph.edges.size();
    DisjointSets sets(nodes * 2); // a switch is a lower (v) in one group and an upper (nodes + v) in another
    By<NodeId, Uplinks> uplinks(nodes);
    By<NodeId, bool> isUpper(nodes);
    std::vector<NodeId> uppers; // in the order of the edges
    graph.firstEdge.reserve(nodes + 1);
    graph.uplink.assign(nodes, Bandwidth());
    std::size_t at = 0;
    for (const NodeId lower : graph.nodes()) {
        graph.firstEdge.push_back(static_cast<std::uint32_t>(at));
        if (at == edges || graph.edges[at].lower != lower) continue;
        const std::size_t first = at;
        const Bandwidth firstCapacity = graph.edges[at].capacity;
        bool areEqual = true;
        Bandwidth sum;
        std::uint32_t root = sets.find(lower);
        for (; at < edges && graph.edges[at].lower == lower; ++at) {
            const SwitchGraph::Edge& edge = graph.edges[at];
            areEqual &= edge.capacity == firstCapacity;
            sum += edge.capacity;
            const auto upper = static_cast<std::uint32_t>(nodes + edge.upper);
            if (sets.parent(upper) == root) continue; // as a rule, after the first switch of a pod
            if (!isUpper[edge.upper]) {
                isUpper[edge.upper] = true;
                uppers.push_back(edge.upper);
            }
            sets.join(root, upper);
            root = sets.find(root);
        }
        graph.uplink[lower] = sum;
        uplinks[lower] = {at - first, firstCapacity, areEqual};
    }
    graph.firstEdge.push_back(static_cast<std::uint32_t>(edges));

    std::vector<std::uint32_t> number(nodes * 2, none);
    graph.groupAbove.assign(nodes, none);
    graph.groupBelow.assign(nodes, none);
    std::vector<Uplinks> ofGroup;
    for (const NodeId lower : graph.nodes()) {
        const Uplinks& own = uplinks[lower];
        if (own.edges == 0) continue;
        std::uint32_t& group = number[sets.find(lower)];
        if (group == none) {
            group = static_cast<std::uint32_t>(graph.groups.size());
            graph.groups.push_back({graph.edges[graph.firstEdge[lower]].tier, {}, {}, true});
            ofGroup.push_back({0, own.capacity});
        }
        graph.groups[group].lowers.push_back(lower);
        graph.groupAbove[lower] = group;
        ofGroup[group].edges += own.edges;
        ofGroup[group].areEqual = ofGroup[group].areEqual && own.areEqual && own.capacity == ofGroup[group].capacity;
    }
    for (const NodeId upper : uppers) {
        graph.groupBelow[upper] = number[sets.find(static_cast<std::uint32_t>(nodes + upper))];
        graph.groups[graph.groupBelow[upper]].uppers.push_back(upper);
    }
    for (std::size_t g = 0; g < graph.groups.size(); ++g) {
        auto& group = graph.groups[g];
        group.regular = ofGroup[g].areEqual && ofGroup[g].edges == group.lowers.size() * group.uppers.size();
        graph.regular = graph.regular && group.regular;
    }
}

// A group hangs together, so networks are joined groups.
void findNetworks(SwitchGraph& graph) {
    const auto groups = static_cast<std::uint32_t>(graph.groups.size());
    const auto nodes = static_cast<std::uint32_t>(graph.device.size());
    DisjointSets sets(groups + nodes);
    for (std::uint32_t v = 0; v < nodes; ++v)
        for (const auto group : {graph.groupAbove[v], graph.groupBelow[v]})
            if (group != none) sets.join(group, groups + v);
    std::vector<std::uint32_t> number(groups + nodes, none);
    graph.network.resize(nodes);
    for (std::uint32_t v = 0; v < nodes; ++v) {
        std::uint32_t& own = number[sets.find(groups + v)];
        if (own == none) own = graph.networks++;
        graph.network[v] = own;
    }
}

bool isOfOneTier(const SwitchGraph& graph, const std::vector<NodeId>& nodes) {
    return !nodes.empty() &&
           std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t v) { return graph.tier[v] == graph.tier[nodes[0]]; });
}

} // namespace

bool leadsUpInTiers(const SwitchGraph& graph, const SwitchGraph::Group& group) {
    return isOfOneTier(graph, group.lowers) && isOfOneTier(graph, group.uppers) &&
           graph.tier[group.lowers[0]] < graph.tier[group.uppers[0]];
}

SwitchGraph switchGraphOf(const Fabric& fabric) {
    SwitchGraph graph;
    const By<DeviceId, NodeId> nodeOf = takeSwitches(fabric, graph);
    std::vector<Run> runs = collectLinks(fabric, nodeOf, graph);
    orderEdges(graph.edges, runs, graph.device.size());
    findGroups(graph);
    findNetworks(graph);
    return graph;
}

SwitchGraph trafficGraphOf(const Fabric& fabric) {
    SwitchGraph graph = switchGraphOf(fabric);
    if (graph.direct.empty()) return graph;
    const auto isNic = [&](DeviceId device) { return fabric.devices.isNic(device); };
    for (const LinkId l : fabric.links.ids()) {
        const DeviceId a = fabric.links.a[l], b = fabric.links.b[l];
        if (!fabric.isNetworkLink(l) || !isNic(a) || !isNic(b)) continue;
        const NodeId node(graph.device.size());
        graph.hosts.push_back({a, node, fabric.speedOf(l), fabric.links.aPort[l], l});
        graph.hosts.push_back({b, node, fabric.speedOf(l), fabric.links.bPort[l], l});
        graph.device.push_back(none);
        graph.tier.push_back(SwitchTier::Leaf);
        graph.uplink.emplace_back();
        graph.firstEdge.push_back(graph.firstEdge.back());
        graph.network.push_back(graph.networks++);
        graph.groupAbove.push_back(none);
        graph.groupBelow.push_back(none);
    }
    std::stable_sort(graph.hosts.begin(), graph.hosts.end(), [](const auto& x, const auto& y) { return x.link < y.link; });
    return graph;
}

By<DeviceId, NodeId> nodesOfDevices(const Fabric& fabric, const SwitchGraph& graph) {
    By<DeviceId, NodeId> nodeOf(fabric.devices.size(), none);
    for (const NodeId v : graph.nodes())
        if (graph.device[v] != none) nodeOf[graph.device[v]] = v;
    return nodeOf;
}

void addAtNic(const Fabric& fabric, LinkId link, DeviceId nic, double sent, double got, std::vector<double>& aToB,
              std::vector<double>& bToA) {
    const bool isFromA = fabric.links.a[link] == nic;
    const DeviceId other = isFromA ? fabric.links.b[link] : fabric.links.a[link];
    (isFromA ? aToB : bToA)[link] += sent;
    if (!fabric.devices.isNic(other)) (isFromA ? bToA : aToB)[link] += got;
}

SwitchGraph hostsOf(const Fabric& fabric) {
    SwitchGraph graph;
    const By<DeviceId, NodeId> nodeOf = takeSwitches(fabric, graph);
    for (const LinkId l : fabric.links.ids()) {
        const auto a = fabric.links.a[l], b = fabric.links.b[l];
        if (!fabric.isNetworkLink(l) || !fabric.devices.isNic(a)) continue;
        if (nodeOf[b] == none)
            graph.direct.emplace_back(a, b);
        else
            graph.hosts.push_back(hostOf(fabric, l, nodeOf[b]));
    }
    return graph;
}

} // namespace railyard
