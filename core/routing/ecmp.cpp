#include "core/routing/traffic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace railyard {
namespace {

// One arc of the switch graph, as seen from a node.
struct Arc {
    std::uint32_t node = 0, edge = 0;
};

struct Neighbours {
    std::vector<std::vector<Arc>> up, down;
    std::vector<std::uint32_t> upwards; // nodes, lowest tier first

    explicit Neighbours(const SwitchGraph& graph) : up(graph.device.size()), down(graph.device.size()), upwards(graph.device.size()) {
        for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
            up[graph.edges[e].lower].push_back({graph.edges[e].upper, e});
            down[graph.edges[e].upper].push_back({graph.edges[e].lower, e});
        }
        for (std::uint32_t v = 0; v < upwards.size(); ++v) upwards[v] = v;
        std::stable_sort(upwards.begin(), upwards.end(), [&](std::uint32_t a, std::uint32_t b) { return graph.tier[a] < graph.tier[b]; });
    }
};

constexpr int unreachable = std::numeric_limits<int>::max() / 2;

// Hops to the target going only down, and going up first.
struct Distances {
    std::vector<int> downOnly, any;
};

void distancesTo(const Neighbours& around, std::uint32_t target, Distances& hops) {
    std::fill(hops.downOnly.begin(), hops.downOnly.end(), unreachable);
    hops.downOnly[target] = 0;
    for (const std::uint32_t v : around.upwards)
        for (const Arc& arc : around.down[v]) hops.downOnly[v] = std::min(hops.downOnly[v], hops.downOnly[arc.node] + 1);
    hops.any = hops.downOnly;
    for (auto it = around.upwards.rbegin(); it != around.upwards.rend(); ++it)
        for (const Arc& arc : around.up[*it]) hops.any[*it] = std::min(hops.any[*it], hops.any[arc.node] + 1);
}

class FlatRouter {
public:
    explicit FlatRouter(const SwitchGraph& graph)
        : m_graph(graph),
          m_around(graph),
          m_upLoad(graph.edges.size()),
          m_downLoad(graph.edges.size()) {
        m_hops.downOnly.resize(graph.device.size());
    }

    // Sends `demand` (consumed) to the target; use(edge, upwards, load) for every share of a link's load.
    template <class Use>
    bool send(std::uint32_t target, std::vector<double>& demand, Use use) {
        distancesTo(m_around, target, m_hops);
        bool connected = true;
        for (const std::uint32_t v : m_around.upwards) {
            if (demand[v] <= 0 || v == target) continue;
            if (m_hops.any[v] >= unreachable) connected = false, demand[v] = 0;
            if (m_hops.downOnly[v] > m_hops.any[v]) split(v, m_around.up[v], m_hops.any, true, demand, use);
        }
        for (auto it = m_around.upwards.rbegin(); it != m_around.upwards.rend(); ++it)
            if (demand[*it] > 0 && *it != target) split(*it, m_around.down[*it], m_hops.downOnly, false, demand, use);
        return connected;
    }
    void add(std::uint32_t edge, bool upwards, double load) { (upwards ? m_upLoad : m_downLoad)[edge] += load; }
    double utilisation(std::uint32_t edge, bool upwards) const {
        return (upwards ? m_upLoad : m_downLoad)[edge] / m_graph.edges[edge].capacity.value();
    }

private:
    template <class Use>
    void split(std::uint32_t v, const std::vector<Arc>& arcs, const std::vector<int>& hops, bool upwards, std::vector<double>& demand,
               Use use) {
        int links = 0;
        for (const Arc& arc : arcs)
            if (hops[arc.node] == hops[v] - 1) links += m_graph.edges[arc.edge].links;
        for (const Arc& arc : arcs) {
            if (hops[arc.node] != hops[v] - 1) continue;
            const double share = demand[v] * m_graph.edges[arc.edge].links / links;
            use(arc.edge, upwards, share);
            demand[arc.node] += share;
        }
        demand[v] = 0;
    }

    const SwitchGraph& m_graph;
    Neighbours m_around;
    Distances m_hops;
    std::vector<double> m_upLoad, m_downLoad;
};

std::vector<std::vector<std::uint32_t>> unitsByNode(const SwitchGraph& graph, const Traffic& traffic) {
    std::vector<std::vector<std::uint32_t>> units(graph.device.size());
    for (std::uint32_t u = 0; u < traffic.units.size(); ++u) units[traffic.units[u].node].push_back(u);
    return units;
}

bool staysInNetworks(const SwitchGraph& graph, const Traffic& traffic) {
    if (traffic.kind == Traffic::Kind::Ring) {
        for (std::size_t u = 0; u < traffic.units.size(); ++u)
            if (traffic.next[u] != none && graph.network[traffic.units[u].node] != graph.network[traffic.units[traffic.next[u]].node])
                return false;
        return true;
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> networks;
    std::set<std::uint32_t> keys;
    for (const TrafficUnit& unit : traffic.units) {
        networks.emplace(unit.key, graph.network[unit.node]);
        keys.insert(unit.key);
    }
    return networks.size() == keys.size();
}

} // namespace

RoutedLoad routeFlat(const SwitchGraph& graph, const Traffic& traffic) {
    RoutedLoad result;
    result.connected = staysInNetworks(graph, traffic);
    result.worstOfTarget.assign(graph.device.size(), 0);
    const auto units = unitsByNode(graph, traffic);
    FlatRouter router(graph);
    std::vector<double> demand(graph.device.size());
    for (std::uint32_t t = 0; t < units.size(); ++t) {
        if (units[t].empty()) continue;
        demandTowards(traffic, units, t, demand);
        for (std::uint32_t v = 0; v < demand.size(); ++v)
            if (graph.network[v] != graph.network[t]) demand[v] = 0;
        if (!router.send(t, demand, [&](std::uint32_t edge, bool up, double load) { router.add(edge, up, load); }))
            result.connected = false;
    }
    for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
        const double load = std::max(router.utilisation(e, true), router.utilisation(e, false));
        if (load > result.worst) result.worst = load, result.bottleneck = std::string(toText(graph.edges[e].tier));
    }
    for (std::uint32_t t = 0; t < units.size(); ++t) {
        if (units[t].empty()) continue;
        demandTowards(traffic, units, t, demand);
        for (std::uint32_t v = 0; v < demand.size(); ++v)
            if (graph.network[v] != graph.network[t]) demand[v] = 0;
        double& worst = result.worstOfTarget[t];
        router.send(t, demand, [&](std::uint32_t edge, bool up, double) { worst = std::max(worst, router.utilisation(edge, up)); });
    }
    return result;
}

RoutedLoad routeEven(const SwitchGraph& graph, const Traffic& traffic) {
    RoutedLoad result;
    result.connected = staysInNetworks(graph, traffic);
    result.worstOfTarget.assign(graph.device.size(), 0);
    const std::vector<double>& up = graph.uplink;
    // Sets of leaves that grow tier by tier: one leaf, its pod, its block. What leaves a set shares the set's uplinks evenly.
    std::vector<std::uint32_t> set(graph.device.size(), none), above(graph.device.size(), none);
    for (std::uint32_t v = 0; v < set.size(); ++v)
        if (graph.tier[v] == SwitchTier::Leaf) set[v] = above[v] = v;
    std::vector<double> capacity = up, width(set.size(), 1.0); // width: switches alike to `above` beside it
    for (const LinkTier tier : {LinkTier::LeafSpine, LinkTier::SpineSuperspine, LinkTier::SuperspineCore}) {
        const std::vector<double> leaving = leavingSets(graph, traffic, set, capacity.size());
        for (std::uint32_t v = 0; v < set.size(); ++v) {
            if (set[v] == none || leaving[set[v]] <= 0 || capacity[set[v]] <= 0) continue;
            const double load = leaving[set[v]] / capacity[set[v]];
            result.worstOfTarget[v] = std::max(result.worstOfTarget[v], load);
            if (load > result.worst * (1 + 1e-12)) result.worst = load, result.bottleneck = std::string(toText(tier));
        }
        // The next larger sets: leaves whose upper switches belong to the same group (or groups, joined through a pod).
        std::vector<double> nextCapacity(capacity.size());
        std::vector<std::uint32_t> next(set.size(), none), groupRoot(graph.groups.size(), none);
        std::vector<bool> counted(graph.device.size());
        for (std::uint32_t v = 0; v < set.size(); ++v) {
            if (above[v] == none || graph.groupAbove[above[v]] == none) continue;
            const std::uint32_t g = graph.groupAbove[above[v]];
            const auto& uppers = graph.groups[g].uppers;
            std::uint32_t& root = groupRoot[g];
            if (root == none) root = set[v];
            next[v] = root;
            for (const std::uint32_t u : uppers)
                if (!counted[u]) counted[u] = true, nextCapacity[root] += up[u] * width[v];
        }
        std::vector<std::uint32_t> nextAbove(set.size(), none);
        for (std::uint32_t v = 0; v < set.size(); ++v)
            if (next[v] != none) {
                const auto& uppers = graph.groups[graph.groupAbove[above[v]]].uppers;
                nextAbove[v] = uppers.front();
                width[v] *= static_cast<double>(uppers.size());
            }
        // Only sets that can leave upwards go on; all superspine groups of a pod count towards its one capacity.
        for (std::uint32_t v = 0; v < set.size(); ++v)
            if (next[v] != none && nextCapacity[next[v]] <= 0) next[v] = nextAbove[v] = none;
        set = std::move(next);
        above = std::move(nextAbove);
        capacity = std::move(nextCapacity);
    }
    return result;
}

RoutedLoad routeTraffic(const SwitchGraph& graph, const Traffic& traffic) {
    const bool onLeaves = std::all_of(traffic.units.begin(), traffic.units.end(),
                                      [&](const TrafficUnit& unit) { return graph.tier[unit.node] == SwitchTier::Leaf; });
    return graph.even && onLeaves ? routeEven(graph, traffic) : routeFlat(graph, traffic);
}

} // namespace railyard
