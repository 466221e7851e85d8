#include "core/routing/switches/ecmp.h"

#include "core/routing/switches/flat_router.h"
#include "core/routing/switches/node_loads.h"
#include "core/routing/switches/path_values.h"
#include "core/routing/switches/stages.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

namespace railyard {
namespace {

// Sends `demand` (consumed) to the target; use(edge, upwards, load) for every share of a link's load. Returns whether all
// arrives.
template <class Use>
bool send(const SwitchGraph& graph, FlatRouter& router, NodeId target, std::vector<double>& demand, Use use) {
    router.aimAt(target);
    bool connected = true;
    const auto divide = [&](NodeId v) {
        int links = 0;
        const bool upwards = router.goesUp(v);
        router.eachNext(v, [&](const FlatRouter::Arc& arc) { links += graph.edges[arc.edge].links; });
        connected = connected && links > 0;
        router.eachNext(v, [&](const FlatRouter::Arc& arc) {
            const double share = demand[v] * graph.edges[arc.edge].links / links;
            use(arc.edge, upwards, share);
            demand[arc.node] += share;
        });
        demand[v] = 0;
    };
    for (const auto v : router.lowestFirst()) {
        if (demand[v] <= 0 || v == target) continue;
        if (router.hops(v) >= FlatRouter::unreachable)
            connected = false, demand[v] = 0;
        else if (router.goesUp(v))
            divide(v);
    }
    for (auto it = router.lowestFirst().rbegin(); it != router.lowestFirst().rend(); ++it)
        if (demand[*it] > 0 && *it != target) divide(*it);
    return connected;
}

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
    std::unordered_map<std::uint32_t, std::uint32_t> networks; // of every key
    return std::all_of(traffic.units.begin(), traffic.units.end(), [&](const TrafficUnit& unit) {
        const auto network = graph.network[unit.node];
        return networks.try_emplace(unit.key, network).first->second == network;
    });
}

} // namespace

RoutedLoad routeFlat(const SwitchGraph& graph, const Traffic& traffic) {
    RoutedLoad result;
    result.connected = staysInNetworks(graph, traffic);
    result.worstOfTarget.assign(graph.device.size(), 0);
    const auto units = unitsByNode(graph, traffic);
    FlatRouter router(graph);
    std::vector<double> up(graph.edges.size()), down(graph.edges.size());
    const auto utilisation = [&](std::uint32_t edge, bool upwards) {
        return (upwards ? up : down)[edge] / graph.edges[edge].capacity.value();
    };
    std::vector<double> demand(graph.device.size());
    for (NodeId t(0); t < units.size(); ++t) {
        if (units[t].empty()) continue;
        demandTowards(traffic, units, t, demand);
        for (std::uint32_t v = 0; v < demand.size(); ++v)
            if (graph.network[v] != graph.network[t]) demand[v] = 0;
        if (!send(graph, router, t, demand, [&](std::uint32_t edge, bool upwards, double load) { (upwards ? up : down)[edge] += load; }))
            result.connected = false;
    }
    for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
        const double load = std::max(utilisation(e, true), utilisation(e, false));
        if (load > result.worst) result.worst = load, result.bottleneck = std::string(toText(graph.edges[e].tier));
    }
    for (NodeId t(0); t < units.size(); ++t) {
        if (units[t].empty()) continue;
        demandTowards(traffic, units, t, demand);
        for (std::uint32_t v = 0; v < demand.size(); ++v)
            if (graph.network[v] != graph.network[t]) demand[v] = 0;
        double& worst = result.worstOfTarget[t];
        if (!send(graph, router, t, demand,
                  [&](std::uint32_t edge, bool upwards, double) { worst = std::max(worst, utilisation(edge, upwards)); }))
            worst = std::numeric_limits<double>::infinity();
    }
    return result;
}

RoutedLoad routeEven(const SwitchGraph& graph, const Traffic& traffic) {
    RoutedLoad result;
    result.connected = staysInNetworks(graph, traffic);
    result.worstOfTarget.assign(graph.device.size(), 0);
    const bool isRing = traffic.kind == Traffic::Kind::Ring;
    const std::vector<Bandwidth>& up = graph.uplink;
    // Sets of leaves that grow tier by tier: one leaf, its pod, its block. What leaves a set shares the set's uplinks evenly.
    std::vector<std::uint32_t> set(graph.device.size(), none), above(graph.device.size(), none);
    for (std::uint32_t v = 0; v < set.size(); ++v)
        if (graph.tier[v] == SwitchTier::Leaf) set[v] = above[v] = v;
    std::vector<Bandwidth> capacity = up;
    std::vector<double> width(set.size(), 1.0); // width: switches alike to `above` beside it
    for (const LinkTier tier : {LinkTier::LeafSpine, LinkTier::SpineSuperspine, LinkTier::SuperspineCore}) {
        std::array<std::vector<double>, 2> loads; // of every set's uplinks, out and in
        if (isRing)
            loads = crossingSets(traffic, set, capacity.size());
        else
            loads[0] = loads[1] = leavingSets(graph, traffic, set, capacity.size());
        for (auto& side : loads)
            for (std::size_t s = 0; s < side.size(); ++s) side[s] = capacity[s] > Bandwidth() ? side[s] / capacity[s].value() : 0;
        for (std::uint32_t v = 0; v < set.size(); ++v) {
            if (set[v] == none) continue;
            const double load = std::max(loads[0][set[v]], loads[1][set[v]]);
            if (!isRing) result.worstOfTarget[v] = std::max(result.worstOfTarget[v], load);
            if (load > result.worst * (1 + 1e-12)) result.worst = load, result.bottleneck = std::string(toText(tier));
        }
        for (std::size_t u = 0; isRing && u < traffic.units.size(); ++u) { // its own ways alone
            if (traffic.next[u] == none) continue;
            const NodeId target = traffic.units[traffic.next[u]].node;
            const auto from = set[traffic.units[u].node], to = set[target];
            if (from == to) continue;
            double& worst = result.worstOfTarget[target];
            worst = std::max({worst, from == none ? 0 : loads[0][from], to == none ? 0 : loads[1][to]});
        }
        // The next larger sets: leaves whose upper switches belong to the same group (or groups, joined through a pod).
        std::vector<Bandwidth> nextCapacity(capacity.size());
        std::vector<std::uint32_t> next(set.size(), none), groupRoot(graph.groups.size(), none);
        std::vector<bool> counted(graph.device.size());
        for (std::uint32_t v = 0; v < set.size(); ++v) {
            if (above[v] == none || graph.groupAbove[above[v]] == none) continue;
            const auto g = graph.groupAbove[above[v]];
            const auto& uppers = graph.groups[g].uppers;
            std::uint32_t& root = groupRoot[g];
            if (root == none) root = set[v];
            next[v] = root;
            for (const auto u : uppers)
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
            if (next[v] != none && nextCapacity[next[v]] <= Bandwidth()) next[v] = nextAbove[v] = none;
        set = std::move(next);
        above = std::move(nextAbove);
        capacity = std::move(nextCapacity);
    }
    return result;
}

namespace {

// Two links of 200G carry as much as one of 400G, but twice as many flows.
bool isRegularByLinks(const SwitchGraph& graph) {
    std::vector<int> links(graph.groups.size());
    return std::all_of(graph.edges.begin(), graph.edges.end(), [&](const SwitchGraph::Edge& edge) {
        int& own = links[graph.groupAbove[edge.lower]];
        if (own == 0) own = edge.links;
        return own == edge.links;
    });
}

// Units of a key in one network send each other the product of their weights; those of one domain do not.
NodeDemands demandsOf(const SwitchGraph& graph, const Traffic& traffic) {
    NodeDemands demands;
    if (traffic.kind == Traffic::Kind::Ring) {
        for (std::size_t u = 0; u < traffic.units.size(); ++u)
            if (traffic.next[u] != none && traffic.units[u].weight > 0)
                demands.pairs.push_back({traffic.units[u].node, traffic.units[traffic.next[u]].node, traffic.units[u].weight});
        return demands;
    }
    using Key = std::pair<std::uint32_t, std::uint32_t>; // key, network
    std::map<Key, std::map<NodeId, double>> products;
    std::map<std::pair<Key, std::uint32_t>, std::map<NodeId, double>> domains;
    for (const TrafficUnit& unit : traffic.units) {
        const Key key(unit.key, graph.network[unit.node]);
        products[key][unit.node] += unit.weight;
        domains[{key, unit.domain}][unit.node] += unit.weight;
    }
    for (const auto& [key, nodes] : products) {
        ProductDemand product;
        for (const auto& [node, weight] : nodes) product.from.push_back({node, weight});
        product.to = product.from;
        demands.products.push_back(std::move(product));
    }
    std::map<std::pair<NodeId, NodeId>, double> inside;
    for (const auto& [domain, nodes] : domains)
        for (const auto& [from, sent] : nodes)
            for (const auto& [to, taken] : nodes)
                if (from != to) inside[{from, to}] -= sent * taken;
    for (const auto& [ends, volume] : inside) demands.pairs.push_back({ends.first, ends.second, volume});
    return demands;
}

RoutedLoad byTiers(const SwitchGraph& graph, const Stages& stages, const Traffic& traffic, bool isOfTargets) {
    const NodeDemands demands = demandsOf(graph, traffic);
    NodeLoads loads = loadsBetweenNodes(graph, demands, Division::PerLink, &stages);
    RoutedLoad result;
    result.connected = staysInNetworks(graph, traffic) && loads.unreachable.empty();
    result.worstOfTarget.assign(graph.device.size(), 0);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const double capacity = graph.edges[e].capacity.value();
        loads.up[e] /= capacity;
        loads.down[e] /= capacity;
        const double load = std::max(loads.up[e], loads.down[e]);
        if (load > result.worst * (1 + 1e-12)) result.worst = load, result.bottleneck = std::string(toText(graph.edges[e].tier));
    }
    if (traffic.kind != Traffic::Kind::Ring || !isOfTargets) return result;
    const std::vector<double> largest = largestOnPaths(graph, stages, demands.pairs, loads);
    for (const auto& [from, to] : loads.unreachable) result.worstOfTarget[to] = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < demands.pairs.size(); ++i) {
        double& worst = result.worstOfTarget[demands.pairs[i].to];
        worst = std::max(worst, largest[i]);
    }
    return result;
}

bool findLeadsUpEvenly(const SwitchGraph& graph) {
    if (!graph.regular || !isRegularByLinks(graph)) return false;
    // Cables drawn between switches of one tier, or downwards, may lead in a circle; tiers that rise cannot.
    if (!std::all_of(graph.groups.begin(), graph.groups.end(), [&](const auto& group) { return leadsUpInTiers(graph, group); }))
        return false;
    using Tops = std::vector<std::pair<std::uint32_t, double>>; // groups at the top, by how many ways
    std::vector<Tops> tops(graph.groups.size());
    std::vector<double> pathsTo(graph.groups.size()); // to a top, while those of one group are added up
    const auto topsOf = [&](const auto& self, std::uint32_t g) -> const Tops& {
        Tops& own = tops[g];
        if (!own.empty()) return own;
        const auto& uppers = graph.groups[g].uppers;
        for (const NodeId upper : uppers) // those above first: they share the sums
            if (const auto above = graph.groupAbove[upper]; above != none && above != g) self(self, above);
        for (const NodeId upper : uppers) {
            const auto above = graph.groupAbove[upper];
            if (above == none || above == g) continue;
            for (const auto& [top, count] : tops[above]) {
                if (pathsTo[top] == 0) own.emplace_back(top, 0);
                pathsTo[top] += count;
            }
        }
        std::sort(own.begin(), own.end());
        for (auto& [top, count] : own) count = std::exchange(pathsTo[top], 0);
        if (own.empty()) own.emplace_back(g, 1);
        return own;
    };
    std::vector<std::uint32_t> firstAt(graph.groups.size(), none); // at the top: a group of leaves that meets there
    for (std::uint32_t g = 0; g < graph.groups.size(); ++g) {
        const auto& uppers = graph.groups[g].uppers;
        if (std::any_of(uppers.begin(), uppers.end(), [&](std::uint32_t u) { return graph.uplink[u] != graph.uplink[uppers.front()]; }))
            return false;
        if (graph.tier[graph.groups[g].lowers.front()] != SwitchTier::Leaf) continue;
        // Groups of leaves that meet at one top meet at the same tops: the list is compared once, not once a top.
        const Tops& own = topsOf(topsOf, g);
        const auto first = firstAt[own.front().first];
        if (first != none && topsOf(topsOf, first) != own) return false;
        for (const auto& [top, count] : own)
            if (std::exchange(firstAt[top], first == none ? g : first) != first) return false;
    }
    return true;
}

} // namespace

bool leadsUpEvenly(const SwitchGraph& graph) {
    return graph.leadsUpEvenly.get([&] { return findLeadsUpEvenly(graph); });
}

RoutedLoad routeByTiers(const SwitchGraph& graph, const Traffic& traffic) {
    return byTiers(graph, *stagesOf(graph, Division::PerLink), traffic, true);
}

const Stages* TrafficRouter::stages() const {
    const auto& found = m_stages.get([&] { return stagesOf(m_graph, Division::PerLink); });
    return found ? &*found : nullptr;
}

RoutedLoad TrafficRouter::route(const Traffic& traffic, bool isOfTargets) const {
    const bool onLeaves = std::all_of(traffic.units.begin(), traffic.units.end(),
                                      [&](const TrafficUnit& unit) { return m_graph.tier[unit.node] == SwitchTier::Leaf; });
    if (onLeaves && leadsUpEvenly(m_graph)) return routeEven(m_graph, traffic);
    return onLeaves && stages() ? byTiers(m_graph, *stages(), traffic, isOfTargets) : routeFlat(m_graph, traffic);
}

RoutedLoad routeTraffic(const SwitchGraph& graph, const Traffic& traffic) { return TrafficRouter(graph).route(traffic); }

} // namespace railyard
