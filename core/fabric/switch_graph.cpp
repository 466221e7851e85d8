#include "core/fabric/switch_graph.h"

#include "core/base/disjoint_sets.h"
#include "core/fabric/network_runs.h"

#include <algorithm>
#include <cstring>
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
    bool isSorted = true;      // by upper, none twice
    bool isLikeBefore = false; // the same uppers and links as the run before
};

// Takes the network links in their order. Parallel ones that follow one another become one edge at once, and uplinks that are those of the
// switch before, as in an SU or a pod, are copied.
class LinkCollector {
public:
    LinkCollector(const Fabric& fabric, const By<DeviceId, NodeId>& nodeOf, SwitchGraph& graph)
        : m_fabric(fabric),
          m_links(fabric.links),
          m_nodeOf(nodeOf),
          m_graph(graph) {
        const std::size_t toHosts = m_links.countOf(LinkTier::HostLeaf);
        graph.hosts.reserve(toHosts);
        graph.edges.reserve(m_links.countNetworkLinks() - toHosts);
    }

    std::vector<Run> collect() {
        for (const LinkRun& run : networkRuns(m_links))
            for (std::size_t l = run.first; l < run.end;) {
                if (const NodeId lower = m_nodeOf[m_links.a[l]]; lower == none)
                    takeOther(LinkId(l++));
                else
                    l = isRepeated(l, run.end, lower) ? repeatUplinks(l, lower) : takeUplinks(l, run.end, lower);
            }
        return std::move(m_runs);
    }

private:
    template <class Column>
    static bool isSame(const Column& column, std::size_t first, std::size_t second, std::size_t count) {
        static_assert(std::has_unique_object_representations_v<typename Column::value_type>);
        return std::memcmp(column.data() + first, column.data() + second, count * sizeof column[0]) == 0;
    }
    void takeOther(LinkId l) {
        const DeviceId a = m_links.a[l], b = m_links.b[l];
        if (const NodeId upper = m_nodeOf[b]; upper == none)
            m_graph.direct.emplace_back(a, b);
        else if (m_fabric.devices.isNic(a))
            m_graph.hosts.push_back(hostOf(m_fabric, l, upper));
    }
    // Whether the links from `l` on are those of the lower switch before, and all of `lower` in this stretch.
    bool isRepeated(std::size_t l, std::size_t end, NodeId lower) const {
        const std::size_t count = m_lastEnd - m_lastBegin;
        return count > 0 && l == m_lastEnd && count <= end - l && m_runs.back().lower != lower &&
               isSame(m_links.b, m_lastBegin, l, count) && isSame(m_links.speed, m_lastBegin, l, count) &&
               isSame(m_links.tier, m_lastBegin, l, count) && isSame(m_links.a, l, l + 1, count - 1) &&
               (l + count == end || m_links.a[l + count] != m_links.a[l]);
    }
    // Returns the first link that is not taken.
    std::size_t repeatUplinks(std::size_t l, NodeId lower) {
        const Run before = m_runs.back();
        auto& edges = m_graph.edges;
        const Run run{lower, edges.size(), edges.size() + (before.end - before.begin), before.isSorted, true};
        m_runs.push_back(run);
        edges.resize(run.end);
        for (std::size_t e = run.begin, like = before.begin; e < run.end; ++e, ++like) {
            edges[e] = edges[like];
            edges[e].lower = lower;
        }
        m_lastBegin = std::exchange(m_lastEnd, l + (m_lastEnd - m_lastBegin));
        return m_lastEnd;
    }
    // All from `l` on of one lower switch; returns the first that is not.
    std::size_t takeUplinks(std::size_t l, std::size_t end, NodeId lower) {
        // Tables that stay where they are.
        const DeviceId *const aOf = m_links.a.data(), *const bOf = m_links.b.data();
        const NodeId* const nodes = m_nodeOf.data();
        const LinkTier* const tierOf = m_links.tier.data();
        const std::uint8_t* const speedOf = m_links.speed.data();
        const Bandwidth* const speeds = m_fabric.speeds.data();
        auto& edges = m_graph.edges;
        const bool isNew = m_runs.empty() || m_runs.back().lower != lower;
        if (isNew) m_runs.push_back({lower, edges.size(), edges.size()});
        Run& run = m_runs.back();
        const std::size_t begin = l;
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
        run.isLikeBefore = false; // it may have been, before these links
        run.end = edges.size();
        m_lastBegin = isNew ? begin : l; // else only a part of the run
        return m_lastEnd = l;
    }

    const Fabric& m_fabric;
    const LinkTable& m_links;
    const By<DeviceId, NodeId>& m_nodeOf;
    SwitchGraph& m_graph;
    std::vector<Run> m_runs;
    std::size_t m_lastBegin = 0, m_lastEnd = 0; // the links of the last run; none where there are others before them
};

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

// Moves whole runs; only what was drawn by hand has to be compared edge by edge. Returns by lower whether its edges follow those of another
// that has as many links to the same uppers; empty where they were moved.
By<NodeId, bool> orderEdges(std::vector<SwitchGraph::Edge>& edges, std::vector<Run>& runs, std::size_t nodes) {
    std::vector<std::uint32_t> runOf(nodes, none);
    for (std::uint32_t r = 0; r < runs.size(); ++r)
        if (std::exchange(runOf[runs[r].lower], r) != none) { // several runs of one switch
            edges.resize(sortAndMerge(edges));
            return {};
        }
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
    if (isInOrder) {
        By<NodeId, bool> isLikeBefore(nodes);
        for (const Run& run : runs) isLikeBefore[run.lower] = run.isLikeBefore;
        return isLikeBefore;
    }
    std::vector<SwitchGraph::Edge> sorted;
    sorted.reserve(edges.size());
    for (const auto r : runOf) {
        if (r == none) continue;
        const auto begin = edges.begin() + static_cast<std::ptrdiff_t>(runs[r].begin);
        sorted.insert(sorted.end(), begin, begin + static_cast<std::ptrdiff_t>(runs[r].end - runs[r].begin));
    }
    edges = std::move(sorted);
    return {};
}

// What the edges upwards of a switch say of its group.
struct Uplinks {
    std::size_t edges = 0;
    Bandwidth capacity; // of the first
    bool areEqual = true;
};

// Looks at every edge once, as they are many, and only at the first of those that are repeated.
void findGroups(SwitchGraph& graph, const By<NodeId, bool>& isLikeBefore) {
    const std::size_t nodes = graph.device.size(), edges = graph.edges.size();
    DisjointSets sets(nodes * 2); // a switch is a lower (v) in one group and an upper (nodes + v) in another
    By<NodeId, Uplinks> uplinks(nodes);
    By<NodeId, bool> isUpper(nodes);
    std::vector<NodeId> uppers; // in the order of the edges
    graph.firstEdge.reserve(nodes + 1);
    graph.uplink.assign(nodes, Bandwidth());
    std::size_t at = 0;
    NodeId before; // the last with edges
    for (const NodeId lower : graph.nodes()) {
        graph.firstEdge.push_back(static_cast<std::uint32_t>(at));
        if (at == edges || graph.edges[at].lower != lower) continue;
        const NodeId like = std::exchange(before, lower);
        if (!isLikeBefore.empty() && isLikeBefore[lower]) {
            graph.uplink[lower] = graph.uplink[like];
            uplinks[lower] = uplinks[like];
            at += uplinks[like].edges;
            sets.join(lower, like);
            continue;
        }
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
    std::vector<Run> runs = LinkCollector(fabric, nodeOf, graph).collect();
    findGroups(graph, orderEdges(graph.edges, runs, graph.device.size()));
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
