#include "core/bisection/bounds/degraded/reroute_flow.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace railyard {
RerouteFlow::RerouteFlow(const RegularSpread& intactSpread, const std::optional<Imbalance>& sides)
    : spread(intactSpread),
      imbalance(sides),
      graph(intactSpread.graph),
      nodes(intactSpread.isTop.size()),
      ends(intactSpread.now.ends) {}

bool RerouteFlow::isSorted() { return splitEdges() && takeUnits(); }

bool RerouteFlow::splitEdges() {
    const std::vector<RegularSpread::Up> edges = spread.everyLink();
    std::vector<bool> isSpine(nodes);
    for (const RegularSpread::Up& e : edges)
        if (spread.fromEnds[e.lower] > Bandwidth()) isSpine[e.upper] = true;
    for (const RegularSpread::Up& e : edges) {
        const bool fromLeaf = spread.fromEnds[e.lower] > Bandwidth();
        if (fromLeaf) {
            const Bandwidth full = e.share * spread.full[e.lower];
            uplinks.push_back({e.lower, e.upper, full, full * (1 - e.lost), full * (1 - e.lost)});
        } else if (spread.full[e.lower] > Bandwidth()) {
            if (!isSpine[e.lower] || !spread.isTop[e.upper]) return false;
            above.push_back(e);
        }
    }
    for (std::uint32_t v = 0; v < nodes; ++v) // endpoints on leaves only, and every leaf below a spine
        if (spread.fromEnds[v] > Bandwidth() && (isSpine[v] || spread.isTop[v])) return false;
    uplinksOf.resize(nodes);
    below.resize(nodes);
    for (std::uint32_t u = 0; u < uplinks.size(); ++u) {
        uplinksOf[uplinks[u].leaf].push_back(u);
        below[uplinks[u].spine].push_back(u);
    }
    aboveOf.resize(nodes);
    for (std::uint32_t e = 0; e < above.size(); ++e) aboveOf[above[e].lower].push_back(e);
    return true;
}

bool RerouteFlow::takeUnits() {
    std::vector<std::vector<std::uint32_t>> served(nodes);
    for (const auto& a : spread.intact.ends.attachments)
        if (served[a.node].empty() || served[a.node].back() != a.endpoint) served[a.node].push_back(a.endpoint);
    std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::uint32_t> unitOf; // by pod and endpoints
    std::map<std::uint32_t, std::uint32_t> podOf;                                         // by group of the graph
    for (NodeId v(0); v < nodes; ++v) {
        if (served[v].empty()) continue;
        std::sort(served[v].begin(), served[v].end());
        served[v].erase(std::unique(served[v].begin(), served[v].end()), served[v].end());
        const auto group = graph.groupAbove[v];
        if (group == none || !graph.groups[group].regular) return false;
        const auto [pod, isNewPod] = podOf.try_emplace(group, static_cast<std::uint32_t>(pods.size()));
        if (isNewPod) pods.push_back({{}, graph.groups[group].uppers});
        const auto [unit, isNew] = unitOf.try_emplace({group, served[v]}, static_cast<std::uint32_t>(units.size()));
        if (isNew) {
            units.push_back({{}, std::move(served[v]), {}, {}});
            pods[pod->second].units.push_back(unit->second);
        }
        units[unit->second].leaves.push_back(v);
        units[unit->second].full += spread.full[v];
        units[unit->second].lacks += spread.full[v] - spread.fromEndsNow[v];
    }
    return true;
}

// Links full, but for what a leaf does not get: that it holds back from the spines that could not pass it on.
void RerouteFlow::sendFromLeaves(double heldBack) {
    std::vector<Bandwidth> over(nodes);
    for (Uplink& u : uplinks) u.flow = u.live;
    upNow.assign(nodes, 0);
    for (const RegularSpread::Up& e : above) upNow[e.lower] += e.share * (1 - e.lost);
    for (std::uint32_t s = 0; s < nodes; ++s)
        if (spread.isTop[s]) upNow[s] = 1;
    for (const Uplink& u : uplinks) over[u.spine] += u.live;
    for (std::uint32_t s = 0; s < nodes; ++s) over[s] -= upNow[s] * spread.full[s];
    for (NodeId leaf(0); leaf < nodes; ++leaf) {
        Bandwidth sent;
        for (const auto u : uplinksOf[leaf]) sent += uplinks[u].live;
        Bandwidth idle = std::max(Bandwidth(), sent - spread.fromEndsNow[leaf]);
        for (const auto u : uplinksOf[leaf]) {
            Uplink& link = uplinks[u];
            const Bandwidth less = heldBack * std::clamp(over[link.spine], Bandwidth(), std::min(link.flow, idle));
            link.flow -= less;
            over[link.spine] -= less;
            idle -= less;
            sent -= less;
        }
        if (idle <= Bandwidth()) continue;
        for (const auto u : uplinksOf[leaf]) uplinks[u].flow = uplinks[u].flow * (1 - idle / sent);
    }
}

void RerouteFlow::passOnAtSpines() {
    std::vector<Bandwidth> in(nodes);
    for (const Uplink& u : uplinks) in[u.spine] += u.flow;
    passed.assign(nodes, 1);
    missing.assign(nodes, Bandwidth());
    for (std::uint32_t s = 0; s < nodes; ++s)
        if (in[s] > Bandwidth()) passed[s] = std::min(1.0, upNow[s] * spread.full[s] / in[s]);
    for (const Uplink& u : uplinks) missing[u.spine] += u.missing();
}

void RerouteFlow::send(double heldBack) {
    sendFromLeaves(heldBack);
    passOnAtSpines();
}

std::pair<Bandwidth, Bandwidth> RerouteFlow::passedAndLacking(std::uint32_t network) const {
    Bandwidth flow, lacks;
    for (const Uplink& u : uplinks)
        if (graph.network[u.leaf] == network) flow += u.flow * passed[u.spine];
    for (const Unit& unit : units)
        if (graph.network[unit.leaves.front()] == network) lacks += abs(unit.lacks);
    return {flow, lacks};
}

// Sets H. Returns what it costs that the endpoints of a unit have not the same part in each of its leaves.
Bandwidth RerouteFlow::takeShares(std::uint32_t network) {
    std::vector<Bandwidth> speed(ends.size()), cost(nodes);
    for (const Uplink& u : uplinks) {
        const Bandwidth live = upNow[u.spine] * u.full;
        cost[u.leaf] += (u.full - live) + abs(live - passed[u.spine] * u.flow);
    }
    std::vector<std::vector<std::pair<std::uint32_t, Bandwidth>>> cables(nodes);
    for (const auto& a : ends.attachments) {
        const NodeId leaf = spread.nodeOfIntact[a.node];
        if (graph.network[leaf] != network) continue;
        cables[leaf].emplace_back(a.endpoint, a.capacity);
        speed[a.endpoint] += a.capacity;
    }
    Bandwidth irregularity;
    std::vector<double> part(ends.size());
    for (const Unit& unit : units) {
        if (graph.network[unit.leaves.front()] != network) continue;
        const double mean = 1.0 / static_cast<double>(unit.endpoints.size());
        for (const NodeId leaf : unit.leaves) {
            const Bandwidth all = spread.fromEndsNow[leaf];
            for (const auto e : unit.endpoints) part[e] = all > Bandwidth() ? 0 : mean;
            if (all > Bandwidth())
                for (const auto& [e, capacity] : cables[leaf]) part[e] += capacity / all;
            double apart = 0;
            for (const auto e : unit.endpoints) {
                apart += std::abs(part[e] - mean);
                speed[e] += (spread.full[leaf] - all) * (part[e] - mean);
            }
            irregularity += apart * cost[leaf];
        }
    }
    mostAhead = imbalance ? aheadOfEvenShares(*imbalance, speed) : largerHalfLessSmaller(std::move(speed));
    return irregularity;
}
// Endpoints that divided their speed evenly among the networks would differ here by that part of what they may in all.
Bandwidth RerouteFlow::aheadOfEvenShares(const Imbalance& sides, const std::vector<Bandwidth>& speedHere) const {
    const double networks = graph.networks;
    Bandwidth sum = sides.bandwidth / networks;
    for (std::size_t e = 0; e < speedHere.size(); ++e) sum += abs(speedHere[e] - ends.speed[e] / networks);
    return sum;
}

} // namespace railyard
