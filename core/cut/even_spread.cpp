#include "core/cut/even_spread.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>

namespace railyard {
namespace {

constexpr double tolerance = 1e-9;
constexpr std::uint32_t mostNetworks = 64;

bool isComparable(const Question& now, const Question& intact) {
    return now.key != BisectionKey::GpuWithHb && now.ends.size() == intact.ends.size() && intact.graph.networks <= mostNetworks &&
           intact.graph.networks > 0;
}

// Edges of the intact fabric, with what is left of each. False where one does not lead upwards.
bool takeEdges(EvenSpread& spread, std::vector<double>& capacity) {
    const SwitchGraph &graph = spread.graph, &left = spread.now.graph;
    std::vector<double> up(graph.device.size());
    for (const auto& edge : graph.edges) {
        if (graph.tier[edge.lower] >= graph.tier[edge.upper]) return false;
        up[edge.lower] += edge.capacity.value();
    }
    std::vector<std::size_t> order(graph.edges.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return graph.tier[graph.edges[a].lower] < graph.tier[graph.edges[b].lower]; });
    std::vector<double> rest(graph.edges.size());
    auto it = left.edges.begin(); // both lists are sorted, and renumbering keeps their order
    const auto key = [&](const SwitchGraph::Edge& e) { return std::pair(spread.nodeNow[e.lower], spread.nodeNow[e.upper]); };
    for (std::size_t e = 0; e < rest.size(); ++e) {
        const std::pair own(graph.edges[e].lower, graph.edges[e].upper);
        while (it != left.edges.end() && key(*it) < own) ++it;
        if (it != left.edges.end() && key(*it) == own) rest[e] = it->capacity.value();
    }
    for (const std::size_t e : order) {
        const auto& edge = graph.edges[e];
        const double before = edge.capacity.value();
        spread.edges.push_back({edge.lower, edge.upper, before / up[edge.lower], std::max(0.0, 1 - rest[e] / before)});
        capacity.push_back(before);
    }
    spread.isTop.assign(graph.device.size(), true);
    for (const auto& edge : spread.edges) spread.isTop[edge.lower] = false;
    return true;
}

double randomWeight(std::uint64_t seed, std::uint32_t node) { // splitmix64
    std::uint64_t z = seed * 0x9e3779b97f4a7c15ULL + node * 0xd1342543de82ef95ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) / static_cast<double>(1ULL << 53);
}

// All leaves of a network spread over its top switches in one proportion. Three random weights of the top switches see
// any difference.
bool isAlike(const EvenSpread& spread) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        std::vector<double> value(spread.isTop.size());
        for (std::uint32_t v = 0; v < value.size(); ++v)
            if (spread.isTop[v]) value[v] = randomWeight(seed, v);
        value = spread.seenFromBelow(std::move(value));
        std::vector<double> ofNetwork(spread.graph.networks, -1);
        for (const auto& a : spread.intact.ends.attachments) {
            double& seen = ofNetwork[spread.graph.network[a.node]];
            if (seen < 0) seen = value[a.node];
            if (std::abs(value[a.node] - seen) > tolerance) return false;
        }
    }
    return true;
}

void takeFlows(EvenSpread& spread) {
    spread.fromEnds.assign(spread.isTop.size(), 0);
    spread.fromEndsNow = spread.fromEnds;
    spread.injection.assign(spread.graph.networks, 0);
    for (const auto& a : spread.intact.ends.attachments) {
        spread.fromEnds[a.node] += a.capacity;
        spread.injection[spread.graph.network[a.node]] += a.capacity;
    }
    for (const auto& a : spread.now.ends.attachments) spread.fromEndsNow[spread.nodeNow[a.node]] += a.capacity;
    spread.full = spread.sentUp(spread.fromEnds);
}

} // namespace

std::vector<double> EvenSpread::sentUp(std::vector<double> flow) const {
    for (const Up& edge : edges) flow[edge.upper] += edge.share * flow[edge.lower];
    return flow;
}

std::vector<double> EvenSpread::seenFromBelow(std::vector<double> value) const {
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) value[edge->lower] += edge->share * value[edge->upper];
    return value;
}

std::vector<std::uint32_t> nodesBefore(const Question& now, const Question& intact) {
    std::vector<std::uint32_t> nodeOf(intact.fabric.devices.size(), none), result;
    for (std::uint32_t v = 0; v < intact.graph.device.size(); ++v) nodeOf[intact.graph.device[v]] = v;
    for (const std::uint32_t device : now.graph.device) result.push_back(nodeOf[now.fabric.intactDevice[device]]);
    return result;
}

std::optional<EvenSpread> evenSpreadOf(const Question& now, const Question& intact, std::vector<std::uint32_t> nodeNow) {
    if (!isComparable(now, intact)) return {};
    EvenSpread spread{now, intact, intact.graph, std::move(nodeNow), {}, {}, {}, {}, {}, {}};
    std::vector<double> capacity;
    if (!takeEdges(spread, capacity) || !isAlike(spread)) return {};
    takeFlows(spread);
    for (std::size_t e = 0; e < capacity.size(); ++e)
        if (spread.edges[e].share * spread.full[spread.edges[e].lower] > capacity[e] * (1 + tolerance)) return {};
    return spread;
}

bool isInTiers(const SwitchGraph& graph) {
    return std::all_of(graph.groups.begin(), graph.groups.end(), [&](const SwitchGraph::Group& group) {
        const auto alike = [&](const std::vector<std::uint32_t>& nodes) {
            return !nodes.empty() &&
                   std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t v) { return graph.tier[v] == graph.tier[nodes[0]]; });
        };
        return alike(group.lowers) && alike(group.uppers) && graph.tier[group.lowers[0]] >= SwitchTier::Leaf &&
               graph.tier[group.lowers[0]] < graph.tier[group.uppers[0]];
    });
}

std::optional<Question> evenPart(const Question& q) {
    Question even = q;
    std::vector<Bandwidth> thinnest(q.graph.groups.size());
    std::vector<std::size_t> pairs(q.graph.groups.size());
    for (const auto& edge : q.graph.edges) {
        const std::uint32_t g = q.graph.groupAbove[edge.lower];
        thinnest[g] = pairs[g]++ == 0 ? edge.capacity : std::min(thinnest[g], edge.capacity);
    }
    for (std::size_t g = 0; g < pairs.size(); ++g) {
        auto& group = even.graph.groups[g];
        if (pairs[g] != group.lowers.size() * group.uppers.size()) return {};
        group.even = true;
    }
    even.graph.uplink.assign(q.graph.device.size(), 0);
    for (auto& edge : even.graph.edges) {
        edge.capacity = thinnest[q.graph.groupAbove[edge.lower]];
        even.graph.uplink[edge.lower] += edge.capacity.value();
    }
    even.graph.even = true;
    return even;
}

namespace {

using Edge = SwitchGraph::Edge;

// What most pairs of a group have: whatever more than half of them have, else what the last of them have.
std::vector<Edge> commonEdges(const SwitchGraph& graph) {
    std::vector<Edge> common(graph.groups.size());
    std::vector<int> votes(graph.groups.size());
    for (const auto& edge : graph.edges) {
        const std::uint32_t g = graph.groupAbove[edge.lower];
        if (votes[g] == 0) common[g] = edge;
        votes[g] += edge.capacity == common[g].capacity ? 1 : -1;
    }
    return common;
}

// An upper switch that few lower ones lead to, such as one just drawn, is not of the even fabric. False where it leads on:
// without it the networks might not be what they were.
bool dropSparseUppers(const std::vector<Edge>& edges, SwitchGraph& graph) {
    std::vector<std::size_t> below(graph.device.size());
    for (const auto& edge : edges) ++below[edge.upper];
    bool isTop = true;
    for (auto& group : graph.groups)
        std::erase_if(group.uppers, [&](std::uint32_t v) {
            const bool sparse = 2 * below[v] < group.lowers.size();
            if (sparse) graph.groupBelow[v] = none;
            isTop = isTop && (!sparse || graph.groupAbove[v] == none);
            return sparse;
        });
    return isTop;
}

// A node in place of an upper switch that is missing: no device stands for it.
void addUpper(SwitchGraph& graph, std::uint32_t g, std::uint32_t above) {
    const auto v = static_cast<std::uint32_t>(graph.device.size());
    const std::uint32_t like = graph.groups[g].uppers.front();
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
        for (const std::uint32_t v : graph.groups[g].uppers) above[g].push_back(graph.groupAbove[v]);
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
        for (const std::uint32_t plane : missing) addUpper(graph, g, plane);
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
            .hosts = key == BisectionKey::GpuWithHb ? graph.hosts : std::vector<SwitchGraph::Host>(), // else the endpoints say it
            .network = graph.network,
            .networks = graph.networks,
            .groups = graph.groups,
            .groupAbove = graph.groupAbove,
            .groupBelow = graph.groupBelow,
            .even = graph.even,
            .direct = graph.direct};
}

} // namespace

std::optional<EvenWhole> evenWhole(const Question& q) {
    constexpr double mostMissing = 0.2; // of the capacity of the even fabric; beyond that its bound says little
    EvenWhole whole{{q.fabric, q.key, allButEdges(q.graph, q.key), q.ends}, 0, commonEdges(q.graph)};
    SwitchGraph& graph = whole.question.graph;
    if (!dropSparseUppers(q.graph.edges, graph) || !isInTiers(graph)) return {};
    addMissingSpines(graph);
    addMissingTops(graph);
    const bool asItWas = q.graph.even && graph.device.size() == q.graph.device.size();
    graph.even = true;
    graph.uplink.assign(graph.device.size(), 0);
    double capacity = 0;
    for (std::size_t g = 0; g < graph.groups.size(); ++g) {
        auto& group = graph.groups[g];
        group.even = true;
        std::sort(group.uppers.begin(), group.uppers.end());
        for (const std::uint32_t v : group.lowers)
            graph.uplink[v] = static_cast<double>(group.uppers.size()) * whole.common[g].capacity.value();
        capacity += static_cast<double>(group.lowers.size() * group.uppers.size()) * whole.common[g].capacity.value();
    }
    whole.missing = capacity;
    for (const auto& edge : q.graph.edges)
        if (graph.groupBelow[edge.upper] != none)
            whole.missing -= std::min(edge.capacity, whole.common[graph.groupAbove[edge.lower]].capacity).value();
    if (asItWas || capacity <= 0 || whole.missing > mostMissing * capacity) return {};
    return whole;
}

void EvenWhole::spellOutEdges() {
    SwitchGraph& graph = question.graph;
    for (std::uint32_t lower = 0; lower < graph.device.size(); ++lower) {
        const std::uint32_t g = graph.groupAbove[lower];
        if (g == none) continue;
        for (const std::uint32_t upper : graph.groups[g].uppers)
            graph.edges.push_back({lower, upper, common[g].links, common[g].tier, common[g].capacity});
    }
}

double largerHalfLessSmaller(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() + 1) / 2);
    std::nth_element(values.begin(), middle, values.end(), std::greater<>());
    return std::accumulate(values.begin(), middle, 0.0) - std::accumulate(middle, values.end(), 0.0);
}

} // namespace railyard
