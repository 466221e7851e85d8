#include "core/cut/even_spread.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace railyard {
namespace {

constexpr double tolerance = 1e-9;
constexpr std::uint32_t mostNetworks = 64;

bool isComparable(const Question& now, const Question& intact) {
    return now.key != BisectionKey::GpuWithHb && now.ends.size() == intact.ends.size() && now.fabric.intact.get() == &intact.fabric &&
           intact.graph.networks <= mostNetworks && intact.graph.networks > 0;
}

// Edges of the intact fabric, with what is left of each. False where one does not lead upwards.
bool takeEdges(EvenSpread& spread, std::vector<double>& capacity) {
    const SwitchGraph &graph = spread.graph, &left = spread.now.graph;
    std::vector<std::uint32_t> nodeOf(spread.intact.fabric.devices.size(), none);
    for (std::uint32_t v = 0; v < graph.device.size(); ++v) nodeOf[graph.device[v]] = v;
    for (const std::uint32_t device : left.device) spread.nodeNow.push_back(nodeOf[spread.now.fabric.intactDevice[device]]);
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

std::optional<EvenSpread> evenSpreadOf(const Question& now, const Question& intact) {
    if (!isComparable(now, intact)) return {};
    EvenSpread spread{now, intact, intact.graph, {}, {}, {}, {}, {}, {}, {}};
    std::vector<double> capacity;
    if (!takeEdges(spread, capacity) || !isAlike(spread)) return {};
    takeFlows(spread);
    for (std::size_t e = 0; e < capacity.size(); ++e)
        if (spread.edges[e].share * spread.full[spread.edges[e].lower] > capacity[e] * (1 + tolerance)) return {};
    return spread;
}

double largerHalfLessSmaller(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() + 1) / 2);
    std::nth_element(values.begin(), middle, values.end(), std::greater<>());
    return std::accumulate(values.begin(), middle, 0.0) - std::accumulate(middle, values.end(), 0.0);
}

} // namespace railyard
