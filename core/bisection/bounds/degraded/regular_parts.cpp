#include "core/bisection/bounds/degraded/regular_parts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>

namespace railyard {
bool isInTiers(const SwitchGraph& graph) {
    return std::all_of(graph.groups.begin(), graph.groups.end(), [&](const SwitchGraph::Group& group) {
        return leadsUpInTiers(graph, group) && graph.tier[group.lowers[0]] >= SwitchTier::Leaf;
    });
}

std::optional<BisectionProblem> regularCore(const BisectionProblem& q) {
    BisectionProblem regular = q;
    std::vector<Bandwidth> thinnest(q.graph.groups.size());
    std::vector<std::size_t> pairs(q.graph.groups.size());
    for (const auto& edge : q.graph.edges) {
        const auto g = q.graph.groupAbove[edge.lower];
        thinnest[g] = pairs[g]++ == 0 ? edge.capacity : std::min(thinnest[g], edge.capacity);
    }
    for (std::size_t g = 0; g < pairs.size(); ++g) {
        auto& group = regular.graph.groups[g];
        if (pairs[g] != group.lowers.size() * group.uppers.size()) return {};
        group.regular = true;
    }
    regular.graph.uplink.assign(q.graph.device.size(), Bandwidth());
    for (auto& edge : regular.graph.edges) {
        edge.capacity = thinnest[q.graph.groupAbove[edge.lower]];
        regular.graph.uplink[edge.lower] += edge.capacity;
    }
    regular.graph.regular = true;
    return regular;
}

namespace {

using GraphEdge = SwitchGraph::Edge;

// What most pairs of a group have: whatever more than half of them have, else what the last of them have.
GraphEdge commonEdge(const SwitchGraph& graph, const SwitchGraph::Group& group) {
    GraphEdge common = graph.edgesAbove(group.lowers[0]).front();
    if (group.regular) return common;
    int votes = 0;
    for (const auto v : group.lowers)
        for (const auto& edge : graph.edgesAbove(v)) {
            if (votes == 0) common = edge;
            votes += edge.capacity == common.capacity ? 1 : -1;
        }
    return common;
}

// An upper switch that few lower ones lead to, such as one just drawn, is not of the even fabric. False where it leads on:
// without it the networks might not be what they were.
bool dropSparseUppers(const SwitchGraph& hull, SwitchGraph& graph) {
    std::vector<std::size_t> below(graph.device.size());
    bool isTop = true;
    for (auto& group : graph.groups) {
        if (group.regular) continue;
        for (const auto v : group.lowers)
            for (const auto& edge : hull.edgesAbove(v)) ++below[edge.upper];
        std::erase_if(group.uppers, [&](NodeId v) {
            const bool sparse = 2 * below[v] < group.lowers.size();
            if (sparse) graph.groupBelow[v] = none;
            isTop = isTop && (!sparse || graph.groupAbove[v] == none);
            return sparse;
        });
    }
    return isTop;
}

// The capacity of that group of the regular fabric that still exists.
Bandwidth presentOf(const SwitchGraph& now, const SwitchGraph& regular, std::size_t g, Bandwidth common) {
    const auto& group = now.groups[g];
    if (group.regular) return static_cast<double>(group.lowers.size() * group.uppers.size()) * common;
    Bandwidth sum;
    for (const auto v : group.lowers)
        for (const auto& edge : now.edgesAbove(v))
            if (regular.groupBelow[edge.upper] != none) sum += std::min(edge.capacity, common);
    return sum;
}

// A node in place of an upper switch that is missing: no device stands for it.
void addUpper(SwitchGraph& graph, std::uint32_t g, std::uint32_t above) {
    const NodeId v(graph.device.size());
    const auto like = graph.groups[g].uppers.front();
    graph.device.push_back(none);
    graph.tier.push_back(graph.tier[like]);
    graph.network.push_back(graph.network[like]);
    graph.groupAbove.push_back(above);
    graph.groupBelow.push_back(g);
    graph.groups[g].uppers.push_back(v);
    if (above != none) graph.groups[above].lowers.push_back(v);
}

// A pod whose spines do not reach all the planes that other pods reach gets a node for each that is missing.
void addMissingSpines(SwitchGraph& graph) {
    using List = std::vector<std::uint32_t>; // groups above, sorted
    std::vector<List> above(graph.groups.size());
    std::map<List, std::size_t> times;
    for (std::size_t g = 0; g < above.size(); ++g) {
        for (const auto v : graph.groups[g].uppers) above[g].push_back(graph.groupAbove[v]);
        std::sort(above[g].begin(), above[g].end());
        if (!above[g].empty() && above[g].front() != none && above[g].back() != none) ++times[above[g]];
    }
    for (std::uint32_t g = 0; g < above.size(); ++g) {
        if (!times.contains(above[g])) continue;
        const List* usual = nullptr;
        for (const auto& [list, count] : times)
            if (list.size() > above[g].size() && count > times[above[g]] && (!usual || count > times[*usual]) &&
                std::includes(list.begin(), list.end(), above[g].begin(), above[g].end()))
                usual = &list;
        if (!usual) continue;
        List missing;
        std::set_difference(usual->begin(), usual->end(), above[g].begin(), above[g].end(), std::back_inserter(missing));
        for (const auto plane : missing) addUpper(graph, g, plane);
    }
}

// Groups of the top tier that have fewer upper switches than most get nodes in their place.
void addMissingTops(SwitchGraph& graph) {
    const auto isTop = [&](const SwitchGraph::Group& group) {
        return std::none_of(group.uppers.begin(), group.uppers.end(), [&](std::uint32_t v) { return graph.groupAbove[v] != none; });
    };
    std::map<std::size_t, std::size_t> sizes;
    for (const auto& group : graph.groups) sizes[group.uppers.size()] += isTop(group) ? 1 : 0;
    const auto most = std::max_element(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (sizes.empty()) return;
    for (std::uint32_t g = 0; g < graph.groups.size(); ++g) {
        auto& group = graph.groups[g];
        if (!isTop(group) || group.uppers.empty()) continue;
        while (group.uppers.size() < most->first) addUpper(graph, g, none);
    }
}

SwitchGraph allButEdges(const SwitchGraph& graph, BisectionKey key) {
    return {.device = graph.device,
            .tier = graph.tier,
            .uplink = {},
            .edges = {},
            .firstEdge = {},
            .hosts = key == BisectionKey::GpuWithHb ? graph.hosts : std::vector<SwitchGraph::Host>(), // else the endpoints say it
            .network = graph.network,
            .networks = graph.networks,
            .groups = graph.groups,
            .groupAbove = graph.groupAbove,
            .groupBelow = graph.groupBelow,
            .regular = graph.regular,
            .direct = graph.direct};
}

} // namespace

std::optional<RegularHull> regularHull(const BisectionProblem& q) {
    constexpr double mostMissing = 0.2; // of the capacity of the even fabric; beyond that its bound says little
    RegularHull hull{{q.fabric, q.key, allButEdges(q.graph, q.key), q.ends}, {}};
    SwitchGraph& graph = hull.problem.graph;
    if (!dropSparseUppers(q.graph, graph) || !isInTiers(graph)) return {};
    for (const auto& a : q.ends.attachments) // what was dropped would be missed
        if (graph.groupBelow[a.node] != q.graph.groupBelow[a.node]) return {};
    addMissingSpines(graph);
    addMissingTops(graph);
    if (q.graph.regular && graph.device.size() == q.graph.device.size()) return {}; // as it was
    graph.regular = true;
    graph.uplink.assign(graph.device.size(), Bandwidth());
    Bandwidth capacity;
    for (std::size_t g = 0; g < graph.groups.size(); ++g) {
        auto& group = graph.groups[g];
        std::sort(group.uppers.begin(), group.uppers.end());
        const Bandwidth common = commonEdge(q.graph, q.graph.groups[g]).capacity;
        const Bandwidth up = static_cast<double>(group.uppers.size()) * common;
        for (const auto v : group.lowers) graph.uplink[v] = up;
        capacity += static_cast<double>(group.lowers.size()) * up;
        hull.missing += static_cast<double>(group.lowers.size()) * up - presentOf(q.graph, graph, g, common);
        group.regular = true;
    }
    if (capacity <= Bandwidth() || hull.missing > mostMissing * capacity) return {};
    return hull;
}

} // namespace railyard
