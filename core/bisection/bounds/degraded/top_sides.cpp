// Before the failures, every endpoint could spread its full speed over the top switches, all in the same proportions. Let a cut put every
// endpoint, leaf, spine and top switch on side A or B, and let f be the flow of such a path host-leaf-spine-top. Then
//
//   cut  >=  sum of f [host and top apart]  +  sum of f (crossings - [host and top apart])  -  failed capacity that crosses,
//
// since the paths fill no link beyond its capacity. With the share g of the flow ending at tops on B, the first sum is g times the speed
// of the hosts on A and 1 - g times that of those on B: half of the injection for two halves of equal speed, whatever the tops do. The
// second sum, never negative, is twice the flow of every host that has its leaf and top against it, and of every leaf that has its spine
// and top against it. So the cut can only be below half of the injection by what failed, and every failed link gives its capacity once:
//
//   host against leaf:  costs 2 g of its flow for a host on B, 2 (1 - g) for a host on A;
//   a spine on A:       gains (failed to leaves on B) + (failed to tops on B) - 2 g' b,        b: flow of its leaves on B,
//   a spine on B:       gains (failed to leaves on A) + (failed to tops on A) - 2 (1 - g') a,  a: flow of its leaves on A,
//                       g': the share of its own tops on B.
//
// By symmetry g <= 1/2. Two bounds on the largest gain hold for every g, and each is good where the other is not.
//
// Few tops on B. A spine gains no more than with all tops on A, plus what failed between it and tops on B, plus g' times all that failed
// at it (its gain on B is linear in g' but for the failed links). Without tops on B a pod whose leaves are all on B gains
// max(failed below, failed above) at each spine; any other pod gains what failed above its leaves on B, and at a spine that lost much
// more than that the rest. What hosts do is a choice of every unit of leaves that serve the same hosts. That the halves are equal enters
// by a price, any of which gives a bound.
//
// Many tops on B. A host against its leaf, or a leaf against most leaves of its unit, costs at least 2 g of the flow, from some g on more
// than it gains. There remain the gains of spines for units that stand whole, with any sides of the tops: plane_gain.cpp.
#include "core/bisection/bounds/degraded/top_sides.h"

#include "core/bisection/bounds/degraded/golden_section.h"
#include "core/bisection/bounds/degraded/plane_gain.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace railyard {
namespace {

constexpr std::uint32_t mostPlanes = 64; // of which the gain is computed

} // namespace

bool TopSides::apply() { return m_graph.networks == 1 && takePods() && takeTops() && takeUnits() && takePlanes(); }

template <class NodeOf>
TopSides::Cables TopSides::cablesOf(const Endpoints& ends, std::size_t nodes, NodeOf nodeOf) {
    Cables cables(nodes);
    for (const auto& a : ends.attachments) cables[nodeOf(a.node)].emplace_back(a.endpoint, a.capacity);
    for (auto& here : cables) {
        const auto before = [](const auto& x, const auto& y) { return x.first < y.first; };
        if (!std::is_sorted(here.begin(), here.end(), before)) std::stable_sort(here.begin(), here.end(), before);
        std::size_t kept = 0;
        for (std::size_t i = 1; i < here.size(); ++i)
            if (here[i].first == here[kept].first)
                here[kept].second += here[i].second;
            else
                here[++kept] = here[i];
        if (!here.empty()) here.resize(kept + 1);
    }
    return cables;
}

bool TopSides::takePods() {
    RegularSpread::FailedFlow failed = m_spread.failedFlow();
    m_failedAbove = std::move(failed.above);
    m_failedBelow = std::move(failed.below);
    std::map<std::uint32_t, std::size_t> podOf; // by group of the graph
    for (NodeId v(0); v < m_nodes; ++v) {
        if (m_spread.fromEnds[v] <= Bandwidth()) continue;
        const auto group = m_graph.groupAbove[v];
        if (!m_spread.isPod(group) || m_graph.groupBelow[v] != none) return false;
        const auto [it, isNew] = podOf.try_emplace(group, m_pods.size());
        if (isNew) m_pods.emplace_back();
        m_pods[it->second].leaves.push_back(v);
        m_pods[it->second].full += m_spread.full[v];
    }
    for (const auto& [group, pod] : podOf) {
        m_pods[pod].spines = m_graph.groups[group].uppers;
        takeSpines(m_pods[pod]);
    }
    return !m_pods.empty();
}

void TopSides::takeSpines(Pod& pod) const {
    Bandwidth thinnest = pod.full; // flow of a leaf to one of the spines
    for (const NodeId leaf : pod.leaves) thinnest = std::min(thinnest, m_spread.full[leaf] / static_cast<double>(pod.spines.size()));
    for (const NodeId spine : pod.spines) {
        const Bandwidth below = m_failedBelow[spine], above = m_failedAbove[spine];
        pod.gainAllOnB += std::max(below, above);
        pod.gainOfRest += std::max(Bandwidth(), above - 2 * thinnest + std::min(thinnest, below));
        pod.failedBelow += below;
        pod.failedAbove += above;
    }
}

bool TopSides::takeTops() {
    Bandwidth first;
    for (NodeId v(0); v < m_nodes; ++v) {
        if (!m_spread.isTop[v] || m_spread.full[v] <= Bandwidth()) continue;
        if (m_topGains.empty()) first = m_spread.full[v];
        const auto group = m_graph.groupBelow[v];
        if (abs(m_spread.full[v] - first) > 1e-9 * first || group == none) return false;
        Bandwidth atSpines;
        for (const NodeId lower : m_graph.groups[group].lowers)
            if (m_spread.fromEnds[lower] <= Bandwidth()) atSpines += m_failedBelow[lower] + m_failedAbove[lower];
        m_topGains.push_back(m_failedBelow[v] + atSpines / static_cast<double>(m_graph.groups[group].uppers.size()));
    }
    std::sort(m_topGains.begin(), m_topGains.end(), std::greater<>());
    m_topGains.insert(m_topGains.begin(), Bandwidth());
    std::partial_sum(m_topGains.begin(), m_topGains.end(), m_topGains.begin());
    return tops() > 0;
}

bool TopSides::takeUnits() {
    const Endpoints &intact = m_spread.intact.ends, &present = m_spread.now.ends;
    const Cables before = cablesOf(intact, m_nodes, [](NodeId node) { return node; });
    const Cables now = cablesOf(present, m_nodes, [&](NodeId node) { return m_spread.nodeOfIntact[node]; });
    m_cable = before[m_pods.front().leaves.front()].front().second;
    std::vector<int> times(present.size()); // that an endpoint is in a unit
    for (Pod& pod : m_pods)
        if (!takeUnitsOf(pod, before, now, times)) return false;
    m_speed = m_cable * m_pods.front().units.front().leafCount();
    return std::all_of(times.begin(), times.end(), [](int t) { return t == 1; });
}

bool TopSides::takeUnitsOf(Pod& pod, const Cables& before, const Cables& now, std::vector<int>& times) const {
    std::map<std::uint32_t, std::size_t> unitOf; // by its first endpoint
    for (const NodeId leaf : pod.leaves) {
        const auto& cables = before[leaf];
        const bool areEqual =
            std::all_of(cables.begin(), cables.end(), [&](const auto& c) { return abs(c.second - m_cable) <= 1e-9 * m_cable; });
        if (!areEqual) return false;
        const auto [it, isNew] = unitOf.try_emplace(cables.front().first, pod.units.size());
        if (isNew) {
            pod.units.emplace_back();
            pod.units.back().endpoints = static_cast<double>(cables.size());
            for (const auto& cable : cables) ++times[cable.first];
        } else {
            const auto& first = before[pod.units[it->second].leaves.front()];
            const auto isSame = [](const auto& x, const auto& y) { return x.first == y.first; };
            if (!std::equal(cables.begin(), cables.end(), first.begin(), first.end(), isSame)) return false;
        }
        pod.units[it->second].leaves.push_back(leaf);
    }
    for (Unit& unit : pod.units) {
        if (unit.leaves.size() != m_pods.front().units.front().leaves.size()) return false;
        takeLosses(unit, before, now);
        Bandwidth full;
        for (const NodeId leaf : unit.leaves) full += m_spread.full[leaf];
        pod.smallest = std::min(pod.smallest, full / pod.full);
    }
    return true;
}

void TopSides::takeLosses(Unit& unit, const Cables& before, const Cables& now) const {
    std::map<std::uint32_t, Bandwidth> ofEndpoint;
    Bandwidth below;
    for (const NodeId leaf : unit.leaves) {
        Bandwidth ofLeaf;
        auto at = now[leaf].begin();
        for (const auto& [endpoint, capacity] : before[leaf]) {
            while (at != now[leaf].end() && at->first < endpoint) ++at;
            const Bandwidth left = at != now[leaf].end() && at->first == endpoint ? at->second : Bandwidth();
            if (left >= capacity) continue;
            ofEndpoint[endpoint] += capacity - left;
            ofLeaf += capacity - left;
        }
        unit.lostOfLeaf.push_back(ofLeaf);
        unit.gain.push_back(m_failedAbove[leaf] - ofLeaf);
        below += ofLeaf;
    }
    for (const auto& [endpoint, lost] : ofEndpoint) unit.lostOfEndpoint.push_back(lost);
    std::sort(unit.lostOfEndpoint.begin(), unit.lostOfEndpoint.end(), std::greater<>());
    std::sort(unit.gain.begin(), unit.gain.end(), std::greater<>());
    unit.gain.insert(unit.gain.begin(), below);
    std::partial_sum(unit.gain.begin(), unit.gain.end(), unit.gain.begin());
}

std::vector<std::uint32_t> TopSides::planesOfNodes(std::uint32_t& planes) const {
    std::vector<std::uint32_t> planeOf(m_nodes, none);
    std::map<std::uint32_t, std::uint32_t> byGroup;
    for (const Pod& pod : m_pods)
        for (const NodeId spine : pod.spines) {
            if (m_spread.isTop[spine]) {
                planeOf[spine] = planes++;
                continue;
            }
            const auto [it, isNew] = byGroup.try_emplace(m_graph.groupAbove[spine], planes);
            planes += isNew ? 1 : 0;
            planeOf[spine] = it->second;
        }
    return planeOf;
}

// Every pod has as many rows of spines, each with one spine in every plane. Else empty.
std::vector<std::uint32_t> TopSides::rowsOfSpines(const std::vector<std::uint32_t>& planeOf, std::uint32_t planes,
                                                  std::size_t& rowsOfPod) const {
    const bool areTops = m_spread.isTop[m_pods.front().spines.front()];
    rowsOfPod = areTops ? 1 : m_pods.front().spines.size() / planes;
    std::vector<std::uint32_t> row(m_nodes);
    for (std::size_t p = 0; p < m_pods.size(); ++p) {
        std::vector<std::size_t> ofPlane(planes);
        if (!areTops && m_pods[p].spines.size() != rowsOfPod * planes) return {};
        for (const NodeId spine : m_pods[p].spines) {
            const std::size_t here = areTops ? 0 : ofPlane[planeOf[spine]]++;
            if (here >= rowsOfPod) return {};
            row[spine] = static_cast<std::uint32_t>(p * rowsOfPod + here);
        }
    }
    return row;
}

bool TopSides::takePlanes() {
    PlaneFailures failures;
    const std::vector<std::uint32_t> planeOf = planesOfNodes(failures.planes);
    std::size_t rowsOfPod = 0;
    const std::vector<std::uint32_t> rowOf = rowsOfSpines(planeOf, failures.planes, rowsOfPod);
    if (rowOf.empty() || failures.planes > mostPlanes) return false;
    std::vector<std::uint32_t> unitOf(m_nodes, none);
    Bandwidth below;
    for (std::uint32_t p = 0; p < m_pods.size(); ++p) {
        const Pod& pod = m_pods[p];
        double endpoints = 0;
        for (const Unit& unit : pod.units) {
            for (const NodeId leaf : unit.leaves) {
                unitOf[leaf] = static_cast<std::uint32_t>(failures.endpointsOfUnit.size());
                below += m_failedAbove[leaf];
            }
            failures.endpointsOfUnit.push_back(unit.endpoints);
            failures.podOfUnit.push_back(p);
            endpoints += unit.endpoints;
        }
        for (const NodeId spine : pod.spines) {
            if (m_spread.isTop[spine]) continue;
            const auto tops = static_cast<double>(m_graph.groups[m_graph.groupAbove[spine]].uppers.size());
            failures.spines.push_back(
                {rowOf[spine], planeOf[spine], m_failedBelow[spine], m_failedAbove[spine], m_spread.full[spine] / tops});
        }
        failures.endpointsOfRow.insert(failures.endpointsOfRow.end(), rowsOfPod, endpoints / static_cast<double>(rowsOfPod));
        failures.smallest = std::min(failures.smallest, pod.smallest);
    }
    for (const auto& tier : m_spread.tiers)
        for (const auto& up : tier.degraded)
            if (unitOf[up.lower] != none)
                failures.ofUnits.push_back(
                    {unitOf[up.lower], rowOf[up.upper], planeOf[up.upper], up.share * up.lost * m_spread.full[up.lower]});
    for (NodeId v(0); v < m_nodes; ++v) {
        if (!m_spread.isTop[v] || m_spread.full[v] <= Bandwidth() || planeOf[v] != none) continue;
        const auto& spines = m_graph.groups[m_graph.groupBelow[v]].lowers; // those of a pod without endpoints are in no plane
        const auto spine = std::find_if(spines.begin(), spines.end(), [&](NodeId each) { return planeOf[each] != none; });
        failures.tops.push_back({planeOf[*spine], m_failedBelow[v]});
    }
    m_ofWholeUnits = mostGainOfPlanes(failures);
    m_ofImbalance = below / static_cast<double>(m_spread.now.ends.size());
    return m_ofImbalance <= m_cable / 4;
}

// Of tops on B and failures above a spine, its gain is linear; for a price the least cut is concave in the share of the tops on B, so least
// at an end.
Bandwidth TopSides::leastWithFew(std::size_t first, std::size_t last, Bandwidth enough, Bandwidth& price) const {
    constexpr int steps = 12;
    const Bandwidth ofTops = m_topGains[last];
    const auto at = [&](Bandwidth p) {
        const Bandwidth least = leastAt(share(first), p);
        return (last > first ? std::min(least, leastAt(share(last), p)) : least) - ofTops;
    };
    if (const Bandwidth least = at(price); least >= enough) return least;
    const auto [best, less] = leastBetween(-m_cable / 4, m_cable / 2, steps, [&](Bandwidth p) { return -at(p); });
    price = best;
    return -less;
}

// `price`: for an endpoint on B, less for one on A, besides half the difference that the tops make.
Bandwidth TopSides::leastAt(double onB, Bandwidth price) const {
    Bandwidth sum = -odd() * abs((0.5 - onB) * m_speed - price);
    for (const Pod& pod : m_pods) {
        Bandwidth each = -pod.gainOfRest, allOnB = -pod.gainAllOnB;
        for (const Unit& unit : pod.units) {
            each += leastOf(unit, onB, price);
            allOnB += leastAllOnB(unit, onB, price);
        }
        sum += std::min(each, allOnB);
    }
    return sum;
}

Bandwidth TopSides::leastOf(const Unit& unit, double onB, Bandwidth price) const {
    const Bandwidth half = m_speed / 2;
    // All leaves on A.
    Bandwidth onOwn = half - price, against = half + price + 2 * onB * m_speed;
    Bandwidth least = (unit.endpoints - static_cast<double>(unit.lostOfEndpoint.size())) * std::min(onOwn, against);
    for (const Bandwidth lost : unit.lostOfEndpoint) least += std::min(onOwn, against - lost);
    // Some on B. An endpoint on A costs more by `dearer`, so only one that lost more would be there.
    for (std::size_t leaves = 1; leaves < unit.gain.size(); ++leaves) {
        const double count = static_cast<double>(leaves);
        const Bandwidth onA = half - price + 2 * (1 - onB) * count * m_cable;
        const Bandwidth cheaper = std::min(onA, half + price + 2 * onB * (unit.leafCount() - count) * m_cable), dearer = onA - cheaper;
        Bandwidth cost = unit.endpoints * cheaper - unit.gain[leaves];
        for (const Bandwidth lost : unit.lostOfEndpoint) {
            if (lost <= dearer) break;
            cost -= lost - dearer;
        }
        least = std::min(least, cost);
    }
    return least;
}

Bandwidth TopSides::leastAllOnB(const Unit& unit, double onB, Bandwidth price) const {
    const Bandwidth half = m_speed / 2, onOwn = half + price, against = half - price + 2 * (1 - onB) * m_speed;
    Bandwidth sum = (unit.endpoints - static_cast<double>(unit.lostOfEndpoint.size())) * std::min(onOwn, against);
    for (const Bandwidth lost : unit.lostOfEndpoint) sum += std::min(onOwn, against - lost);
    return sum;
}

Bandwidth TopSides::leastWithMany(std::size_t first) const {
    Bandwidth gain = m_ofWholeUnits + odd() * m_ofImbalance;
    for (const Pod& pod : m_pods)
        for (const Unit& unit : pod.units) gain += mostAgainst(pod, unit, share(first));
    return (static_cast<double>(m_spread.now.ends.size()) - odd()) * m_speed / 2 - gain;
}

// What endpoints against most leaves of their unit, and leaves against most others, gain at most.
Bandwidth TopSides::mostAgainst(const Pod& pod, const Unit& unit, double onB) const {
    std::vector<Bandwidth> ofLeaf;
    for (std::size_t i = 0; i < unit.leaves.size(); ++i) {
        const NodeId leaf = unit.leaves[i];
        const Bandwidth ofSpines = 2 * pod.failedBelow + std::max(2.0, 1 / pod.smallest) * pod.failedAbove;
        ofLeaf.push_back(unit.lostOfLeaf[i] + m_failedAbove[leaf] + (m_spread.full[leaf] / pod.full) * ofSpines);
    }
    std::sort(ofLeaf.begin(), ofLeaf.end(), std::greater<>());
    Bandwidth most, ofEndpoints;
    const auto take = [&](double endpoints) {
        Bandwidth gain = ofEndpoints + endpoints * m_ofImbalance;
        for (std::size_t leaves = 0; 2 * leaves <= ofLeaf.size(); ++leaves) {
            if (leaves > 0) gain += ofLeaf[leaves - 1];
            const double against = static_cast<double>(leaves);
            const double apart = endpoints * (unit.leafCount() - against) + (unit.endpoints - endpoints) * against;
            most = std::max(most, gain - 2 * onB * apart * m_cable);
        }
    };
    take(0);
    for (std::size_t i = 0; i < unit.lostOfEndpoint.size(); ++i) {
        ofEndpoints += unit.lostOfEndpoint[i];
        take(static_cast<double>(i + 1));
    }
    take(unit.endpoints); // linear in the number of those that lost nothing
    return most;
}

} // namespace railyard
