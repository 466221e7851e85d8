// The tree certificate one tier higher: oversubscription between pods, partial pods.
//
// Where leaves and spines of a pod are joined evenly, the pod carries all that its leaves send and all that its spines'
// uplinks take: it acts as one node. Where the tier above joins the spines evenly too, that is one node as well. What is
// left is a tree, endpoints - leaves - pods - root, and its bisection is exact by tables over endpoints a side.
#include "core/cut/stars.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace railyard {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();
constexpr double mostWork = 1e8; // of the tables

using Costs = std::vector<double>; // [a]: least capacity cut with a endpoints on side A

struct Pod {
    std::vector<const Star*> stars;
    std::vector<std::uint32_t> groups; // leaf-spine groups, one a rail where rails are separate
    double uplink = 0;                 // of all its spines
    std::size_t endpoints = 0;
};

// The leaf-spine groups that a star reaches, where it reaches all of them alike.
std::optional<std::vector<std::uint32_t>> groupsOf(const SwitchGraph& graph, const Star& star) {
    std::map<std::uint32_t, int> leaves;
    for (const std::uint32_t v : star.leaves) ++leaves[graph.groupAbove[v]];
    std::vector<std::uint32_t> groups;
    for (const auto& [group, count] : leaves) {
        if (group == none || count != leaves.begin()->second) return {};
        groups.push_back(group);
    }
    return groups;
}

// Pods by the groups they consist of; nothing where one group belongs to two, or pods do not meet above alike.
std::optional<std::vector<Pod>> podsOf(const SwitchGraph& graph, const std::vector<Star>& stars) {
    std::vector<double> up(graph.device.size());
    for (const auto& edge : graph.edges) up[edge.lower] += edge.capacity.value();
    std::map<std::vector<std::uint32_t>, Pod> pods;
    for (const Star& star : stars) {
        const auto groups = groupsOf(graph, star);
        if (!groups) return {};
        Pod& pod = pods[*groups];
        pod.groups = *groups;
        pod.stars.push_back(&star);
        pod.endpoints += star.endpoints.size();
    }
    std::vector<bool> used(graph.groups.size());
    std::optional<std::vector<std::uint32_t>> above; // groups that join the spines, the same for every pod
    std::vector<Pod> result;
    for (auto& [groups, pod] : pods) {
        std::vector<std::uint32_t> own;
        for (const std::uint32_t g : groups) {
            if (used[g]) return {};
            used[g] = true;
            const auto& uppers = graph.groups[g].uppers;
            for (const std::uint32_t v : uppers) {
                if (std::abs(up[v] - up[uppers.front()]) > 0.5) return {};
                pod.uplink += up[v];
                own.push_back(graph.groupAbove[v]);
            }
        }
        std::sort(own.begin(), own.end());
        if (!own.empty() && own.back() == none) return {};
        if (above && *above != own) return {};
        above = own;
        result.push_back(std::move(pod));
    }
    return result;
}

// A star below a pod that stands on side A or B.
Costs costsOf(const Star& star, bool podOnA) {
    const std::size_t e = star.endpoints.size();
    const auto rails = static_cast<double>(star.leaves.size());
    Costs costs(e + 1);
    for (std::size_t a = 0; a <= e; ++a) {
        const double onA = static_cast<double>(a) * star.perLink, onB = static_cast<double>(e - a) * star.perLink;
        costs[a] = rails * std::min(onB + (podOnA ? 0 : star.uplink), onA + (podOnA ? star.uplink : 0));
    }
    return costs;
}

Costs together(const Costs& x, const Costs& y, std::size_t most) {
    Costs sum(std::min(x.size() + y.size() - 1, most + 1), impossible);
    for (std::size_t a = 0; a < x.size(); ++a)
        for (std::size_t b = 0; b < y.size() && a + b < sum.size(); ++b) sum[a + b] = std::min(sum[a + b], x[a] + y[b]);
    return sum;
}

// The root stands on side B.
Costs costsOf(const Pod& pod) {
    Costs best;
    for (const bool onA : {false, true}) {
        Costs costs{onA ? pod.uplink : 0.0};
        for (const Star* star : pod.stars) costs = together(costs, costsOf(*star, onA), pod.endpoints);
        if (best.empty()) best = costs;
        for (std::size_t a = 0; a < best.size(); ++a) best[a] = std::min(best[a], costs[a]);
    }
    return best;
}

} // namespace

LowerBound podBound(const SwitchGraph& graph, const Endpoints& ends) {
    bool threeTiers = false;
    for (const auto& group : graph.groups) {
        if (!group.even || group.tier == LinkTier::SuperspineCore) return {};
        threeTiers = threeTiers || group.tier == LinkTier::SpineSuperspine;
    }
    if (!threeTiers) return {};
    const auto stars = starsOf(graph, ends);
    const auto pods = stars ? podsOf(graph, *stars) : std::nullopt;
    if (!pods) return {};
    const std::size_t n = ends.size(), m = (n + 1) / 2;
    double work = 0, before = 0;
    std::size_t inPods = 0;
    for (const Pod& pod : *pods) {
        const auto e = static_cast<double>(pod.endpoints);
        work += e * e + std::min(before, static_cast<double>(m)) * e;
        before += e;
        inPods += pod.endpoints;
    }
    if (work > mostWork) return {};
    Costs all(n - inPods + 1); // endpoints without a cable stand where they like
    for (const Pod& pod : *pods) all = together(all, costsOf(pod), m);
    return {std::min(all[n / 2], all[m]), "tree of pods"};
}

} // namespace railyard
