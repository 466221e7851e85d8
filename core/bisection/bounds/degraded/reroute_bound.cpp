// Failures in a fabric of two or three tiers that was even, with traffic led around them. Each leaf sends what it still
// can; where endpoints lost more of it than uplinks did, it leaves those links idle whose spines have too few above. A
// spine mixes what it gets and spreads it over the links it has left. Each leaf l so reaches top switch m with r_l(m),
// shared by its endpoints as their cables are, up and down alike, and any two halves of the endpoints (sigma = +-1, its
// average over a leaf s_l) meet at the tops with at least
//
//   sum of r / 2  -  1/2 max over sigma of  sum over m | sum over l of s_l r_l(m) |.
//
// Against the even spread F_l pi(m) of the intact fabric the inner sum is H pi(m) - y(m): H = sum of F_l s_l is linear in
// sigma, and y is a sum over spines. A spine that lost the share d of its uplinks, gets all of p (its pod's mean s) and
// misses x_l of leaf l, adds d|p| full at the dead links and |(1-d-k) p full + k sum of s_l x_l| at the live ones, k being
// the part of what it gets that it can pass on. Even and convex in H, the worst has H at its largest; H pi(m) is dealt out
// to the spines whose losses end at m. What is left is one convex function of sigma a pod, largest at s_l = +-1: for each
// count of leaves on side A (it fixes p) the worst leaves are picked one by one. That the halves are of equal size enters
// by a Lagrange multiplier; where sides may be apart by some endpoints, it costs as many times the multiplier.
#include "core/bisection/bounds/degraded/reroute_bound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

namespace railyard {
namespace {

using Edge = RegularSpread::Up;

// Choices of which any gives a bound, the best is taken; these are the best of some tried on 65,536 GPUs with 1 % of the
// links failed: the first where every endpoint has cables left, the second where some have none.
struct Candidate {
    double heldBack;      // of what a spine gets too much
    double ofDeadUplinks; // weight of a dead uplink where H is dealt out
};
constexpr std::array candidates{Candidate{0.2, 0.5}, Candidate{0.1, 0.3}};
constexpr std::array slacks{0.0, 0.1, 0.2, 0.3, 0.4, 0.5}; // of what all leaves lack

class Reroute {
public:
    Reroute(const RegularSpread& spread, const std::optional<Imbalance>& imbalance)
        : m_spread(spread),
          m_imbalance(imbalance),
          m_graph(spread.graph),
          m_nodes(spread.isTop.size()),
          m_ends(spread.now.ends) {}

    Bandwidth bound() {
        if (!splitEdges() || !takeUnits()) return {};
        Bandwidth best;
        for (const Candidate& candidate : candidates) {
            m_candidate = candidate;
            sendFromLeaves();
            passOnAtSpines();
            Bandwidth twice;
            for (std::uint32_t network = 0; network < m_graph.networks; ++network) twice += ofNetwork(network);
            best = std::max(best, twice / 2);
        }
        return best;
    }

private:
    // A link bundle of a leaf, with the flow it carries: intact, and led around failures.
    struct Uplink {
        NodeId leaf, spine;
        Bandwidth full, live, flow;
        Bandwidth missing() const { return full - flow; }
    };
    // Leaves that serve the same endpoints, and so stand together.
    struct Unit {
        std::vector<NodeId> leaves;
        std::vector<std::uint32_t> endpoints;
        Bandwidth full, lacks; // through its leaves before; of that, what its endpoints lost
    };
    struct Pod {
        std::vector<std::uint32_t> units;
        std::vector<NodeId> spines;
    };
    // A cost that depends on the multiplier.
    struct Line {
        Bandwidth cost;
        double slope;
    };
    using Choice = std::vector<Line>;       // the largest counts
    using Sides = std::array<Bandwidth, 2>; // cost of a unit on side B, on side A

    bool splitEdges() {
        const std::vector<Edge> edges = m_spread.everyLink();
        std::vector<bool> isSpine(m_nodes);
        for (const Edge& e : edges)
            if (m_spread.fromEnds[e.lower] > Bandwidth()) isSpine[e.upper] = true;
        for (const Edge& e : edges) {
            const bool fromLeaf = m_spread.fromEnds[e.lower] > Bandwidth();
            if (fromLeaf) {
                const Bandwidth full = e.share * m_spread.full[e.lower];
                m_uplinks.push_back({e.lower, e.upper, full, full * (1 - e.lost), full * (1 - e.lost)});
            } else if (m_spread.full[e.lower] > Bandwidth()) {
                if (!isSpine[e.lower] || !m_spread.isTop[e.upper]) return false;
                m_above.push_back(e);
            }
        }
        for (std::uint32_t v = 0; v < m_nodes; ++v) // endpoints on leaves only, and every leaf below a spine
            if (m_spread.fromEnds[v] > Bandwidth() && (isSpine[v] || m_spread.isTop[v])) return false;
        m_uplinksOf.resize(m_nodes);
        m_below.resize(m_nodes);
        for (std::uint32_t u = 0; u < m_uplinks.size(); ++u) {
            m_uplinksOf[m_uplinks[u].leaf].push_back(u);
            m_below[m_uplinks[u].spine].push_back(u);
        }
        m_aboveOf.resize(m_nodes);
        for (std::uint32_t e = 0; e < m_above.size(); ++e) m_aboveOf[m_above[e].lower].push_back(e);
        return true;
    }

    bool takeUnits() {
        std::vector<std::vector<std::uint32_t>> served(m_nodes);
        for (const auto& a : m_spread.intact.ends.attachments)
            if (served[a.node].empty() || served[a.node].back() != a.endpoint) served[a.node].push_back(a.endpoint);
        std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::uint32_t> unitOf; // by pod and endpoints
        std::map<std::uint32_t, std::uint32_t> podOf;                                         // by group of the graph
        for (NodeId v(0); v < m_nodes; ++v) {
            if (served[v].empty()) continue;
            std::sort(served[v].begin(), served[v].end());
            served[v].erase(std::unique(served[v].begin(), served[v].end()), served[v].end());
            const auto group = m_graph.groupAbove[v];
            if (group == none || !m_graph.groups[group].regular) return false;
            const auto [pod, isNewPod] = podOf.try_emplace(group, static_cast<std::uint32_t>(m_pods.size()));
            if (isNewPod) m_pods.push_back({{}, m_graph.groups[group].uppers});
            const auto [unit, isNew] = unitOf.try_emplace({group, served[v]}, static_cast<std::uint32_t>(m_units.size()));
            if (isNew) {
                m_units.push_back({{}, std::move(served[v]), {}, {}});
                m_pods[pod->second].units.push_back(unit->second);
            }
            m_units[unit->second].leaves.push_back(v);
            m_units[unit->second].full += m_spread.full[v];
            m_units[unit->second].lacks += m_spread.full[v] - m_spread.fromEndsNow[v];
        }
        return true;
    }

    // Links full, but for what a leaf does not get: that it holds back from the spines that could not pass it on.
    void sendFromLeaves() {
        std::vector<Bandwidth> over(m_nodes);
        for (Uplink& u : m_uplinks) u.flow = u.live;
        m_upNow.assign(m_nodes, 0);
        for (const Edge& e : m_above) m_upNow[e.lower] += e.share * (1 - e.lost);
        for (std::uint32_t s = 0; s < m_nodes; ++s)
            if (m_spread.isTop[s]) m_upNow[s] = 1;
        for (const Uplink& u : m_uplinks) over[u.spine] += u.live;
        for (std::uint32_t s = 0; s < m_nodes; ++s) over[s] -= m_upNow[s] * m_spread.full[s];
        for (NodeId leaf(0); leaf < m_nodes; ++leaf) {
            Bandwidth sent;
            for (const auto u : m_uplinksOf[leaf]) sent += m_uplinks[u].live;
            Bandwidth idle = std::max(Bandwidth(), sent - m_spread.fromEndsNow[leaf]);
            for (const auto u : m_uplinksOf[leaf]) {
                Uplink& link = m_uplinks[u];
                const Bandwidth less = m_candidate.heldBack * std::clamp(over[link.spine], Bandwidth(), std::min(link.flow, idle));
                link.flow -= less;
                over[link.spine] -= less;
                idle -= less;
                sent -= less;
            }
            if (idle <= Bandwidth()) continue;
            for (const auto u : m_uplinksOf[leaf]) m_uplinks[u].flow = m_uplinks[u].flow * (1 - idle / sent);
        }
    }

    void passOnAtSpines() {
        std::vector<Bandwidth> in(m_nodes);
        for (const Uplink& u : m_uplinks) in[u.spine] += u.flow;
        m_passed.assign(m_nodes, 1);
        m_missing.assign(m_nodes, Bandwidth());
        for (std::uint32_t s = 0; s < m_nodes; ++s)
            if (in[s] > Bandwidth()) m_passed[s] = std::min(1.0, m_upNow[s] * m_spread.full[s] / in[s]);
        for (const Uplink& u : m_uplinks) m_missing[u.spine] += u.missing();
    }
    bool hasDeadUplinks(NodeId spine) const { return m_upNow[spine] < 1 - 1e-12; }

    // Sum of all flow less the sum over the top switches of how far the halves' flows can differ there.
    Bandwidth ofNetwork(std::uint32_t network) {
        Bandwidth flow, lacks;
        for (const Uplink& u : m_uplinks)
            if (m_graph.network[u.leaf] == network) flow += u.flow * m_passed[u.spine];
        for (const Unit& unit : m_units)
            if (m_graph.network[unit.leaves.front()] == network) lacks += abs(unit.lacks);
        const Bandwidth irregularity = takeShares(network);
        Bandwidth most;
        for (const double part : slacks) most = std::max(most, flow - irregularity - worstDivision(network, part * lacks));
        return most;
    }

    // Sets H. Returns what it costs that the endpoints of a unit have not the same part in each of its leaves.
    Bandwidth takeShares(std::uint32_t network) {
        std::vector<Bandwidth> speed(m_ends.size()), cost(m_nodes);
        for (const Uplink& u : m_uplinks) {
            const Bandwidth live = m_upNow[u.spine] * u.full;
            cost[u.leaf] += (u.full - live) + abs(live - m_passed[u.spine] * u.flow);
        }
        std::vector<std::vector<std::pair<std::uint32_t, Bandwidth>>> cables(m_nodes);
        for (const auto& a : m_ends.attachments) {
            const NodeId leaf = m_spread.nodeOfIntact[a.node];
            if (m_graph.network[leaf] != network) continue;
            cables[leaf].emplace_back(a.endpoint, a.capacity);
            speed[a.endpoint] += a.capacity;
        }
        Bandwidth irregularity;
        std::vector<double> part(m_ends.size());
        for (const Unit& unit : m_units) {
            if (m_graph.network[unit.leaves.front()] != network) continue;
            const double mean = 1.0 / static_cast<double>(unit.endpoints.size());
            for (const NodeId leaf : unit.leaves) {
                const Bandwidth all = m_spread.fromEndsNow[leaf];
                for (const auto e : unit.endpoints) part[e] = all > Bandwidth() ? 0 : mean;
                if (all > Bandwidth())
                    for (const auto& [e, capacity] : cables[leaf]) part[e] += capacity / all;
                double apart = 0;
                for (const auto e : unit.endpoints) {
                    apart += std::abs(part[e] - mean);
                    speed[e] += (m_spread.full[leaf] - all) * (part[e] - mean);
                }
                irregularity += apart * cost[leaf];
            }
        }
        m_mostAhead = m_imbalance ? mostAhead(*m_imbalance, speed) : largerHalfLessSmaller(std::move(speed));
        return irregularity;
    }
    // Endpoints that divided their speed evenly among the networks would differ here by that part of what they may in all.
    Bandwidth mostAhead(const Imbalance& imbalance, const std::vector<Bandwidth>& speedHere) const {
        const double networks = m_graph.networks;
        Bandwidth sum = imbalance.bandwidth / networks;
        for (std::size_t e = 0; e < speedHere.size(); ++e) sum += abs(speedHere[e] - m_ends.speed[e] / networks);
        return sum;
    }

    // Deals `ahead` pi(m) out to the links above spines, or to spines that are the top. Returns what no loss takes.
    Bandwidth dealOut(std::uint32_t network, Bandwidth allAhead) {
        std::vector<Bandwidth> losses(m_nodes);
        std::vector<double> ofLoss(m_nodes); // what is dealt out to a unit of loss
        m_dealtAbove.assign(m_above.size(), Bandwidth());
        m_dealtHere.assign(m_nodes, Bandwidth());
        for (std::uint32_t e = 0; e < m_above.size(); ++e) losses[m_above[e].upper] += m_dealtAbove[e] = lossAt(m_above[e]);
        Bandwidth rest;
        for (std::uint32_t m = 0; m < m_nodes; ++m) {
            if (!m_spread.isTop[m] || m_graph.network[m] != network) continue;
            const Bandwidth ahead(allAhead.value() * m_spread.full[m].value() / m_spread.injection[network].value());
            m_dealtHere[m] = ahead; // of use where spines are the top
            if (losses[m] + m_missing[m] <= Bandwidth()) rest += ahead;
            ofLoss[m] = losses[m] > Bandwidth() ? ahead / losses[m] : 0;
        }
        for (std::uint32_t e = 0; e < m_above.size(); ++e) m_dealtAbove[e] = m_dealtAbove[e] * ofLoss[m_above[e].upper];
        return rest;
    }
    Bandwidth lossAt(const Edge& e) const {
        return e.share * (hasDeadUplinks(e.lower) ? m_candidate.ofDeadUplinks * m_spread.full[e.lower] * e.lost : m_missing[e.lower]);
    }

    // Most over all halves: H is at most `slack` above what the endpoints that are left can differ by, or costs in full
    // what it is above that, which is at most what the leaves of side A lack less what those of side B do.
    Bandwidth worstDivision(std::uint32_t network, Bandwidth slack) {
        const Bandwidth rest = dealOut(network, m_mostAhead + slack);
        std::array<std::vector<Choice>, 2> choices;
        for (const Pod& pod : m_pods)
            if (m_graph.network[pod.spines.front()] == network) addChoices(pod, choices);
        return rest + std::max(leastOverMultiplier(network, choices[0]), leastOverMultiplier(network, choices[1]) - slack);
    }

    // Of each pod the cost of every number of units on side A, [0] as it is and [1] with what they lack.
    void addChoices(const Pod& pod, std::array<std::vector<Choice>, 2>& choices) const {
        const std::size_t count = pod.units.size();
        std::map<std::uint32_t, std::size_t> unitOf;
        bool alike = true;
        for (std::size_t i = 0; i < count; ++i) {
            const Unit &own = m_units[pod.units[i]], &first = m_units[pod.units[0]];
            for (const NodeId leaf : own.leaves) unitOf[leaf] = i;
            alike = alike && abs(own.full - first.full) <= 1e-9 * first.full && own.endpoints.size() == first.endpoints.size();
        }
        std::vector<Sides> plain(count); // whatever p
        for (const NodeId spine : pod.spines) addMissing(spine, unitOf, plain);
        std::array<Choice, 2> byCount;
        for (std::size_t onA = 0; onA <= count; ++onA) {
            const double p = (2.0 * static_cast<double>(onA) - static_cast<double>(count)) / static_cast<double>(count);
            auto cost = plain;
            Bandwidth base;
            for (const NodeId spine : pod.spines)
                if (hasDeadUplinks(spine)) base += deadUplinks(spine, p, alike, unitOf, cost);
            for (const int tilt : {0, 1}) {
                auto& here = choices[static_cast<std::size_t>(tilt)];
                if (alike)
                    byCount[static_cast<std::size_t>(tilt)].push_back(worstOfCount(pod, cost, base, onA, tilt));
                else
                    addFreeUnits(pod, cost, base, tilt, here);
            }
            if (!alike) return; // p is not known from the count: every term stood at its worst, every unit is free
        }
        for (const std::size_t tilt : {0U, 1U}) choices[tilt].push_back(std::move(byCount[tilt]));
    }
    Line worstOfCount(const Pod& pod, const std::vector<Sides>& cost, Bandwidth base, std::size_t onA, int tilt) const {
        std::vector<Bandwidth> extra;
        for (std::size_t i = 0; i < pod.units.size(); ++i) {
            const Bandwidth lacks = tilt * m_units[pod.units[i]].lacks;
            base += cost[i][0] + lacks;
            extra.push_back(cost[i][1] - cost[i][0] - 2 * lacks);
        }
        const auto end = extra.begin() + static_cast<std::ptrdiff_t>(onA);
        if (end != extra.end()) std::nth_element(extra.begin(), end, extra.end(), std::greater<>());
        const double size = static_cast<double>(m_units[pod.units[0]].endpoints.size());
        return {std::accumulate(extra.begin(), end, base), size * (static_cast<double>(extra.size()) - 2.0 * static_cast<double>(onA))};
    }
    void addFreeUnits(const Pod& pod, const std::vector<Sides>& cost, Bandwidth base, int tilt, std::vector<Choice>& choices) const {
        choices.push_back({{base, 0}});
        for (std::size_t i = 0; i < pod.units.size(); ++i) {
            const Unit& unit = m_units[pod.units[i]];
            const double size = static_cast<double>(unit.endpoints.size());
            choices.push_back({{cost[i][0] + tilt * unit.lacks, size}, {cost[i][1] - tilt * unit.lacks, -size}});
        }
    }

    // A spine with all uplinks spreads what a leaf does not send over all it leads to.
    void addMissing(NodeId spine, const std::map<std::uint32_t, std::size_t>& unitOf, std::vector<Sides>& cost) const {
        const Bandwidth all = m_missing[spine];
        if (hasDeadUplinks(spine) || all <= Bandwidth()) return;
        for (const int side : {0, 1}) {
            const Bandwidth lost = side == 0 ? -all : all;
            Bandwidth sum = m_spread.isTop[spine] ? abs(m_dealtHere[spine] + lost) : Bandwidth();
            for (const auto e : m_aboveOf[spine]) sum += abs(m_dealtAbove[e] + lost * m_above[e].share);
            for (const auto u : m_below[spine])
                cost[unitOf.at(m_uplinks[u].leaf)][static_cast<std::size_t>(side)] +=
                    Bandwidth(sum.value() * m_uplinks[u].missing().value() / all.value());
        }
    }

    // Returns what does not depend on which units are on side A, only on p.
    Bandwidth deadUplinks(NodeId spine, double p, bool isKnown, const std::map<std::uint32_t, std::size_t>& unitOf,
                          std::vector<Sides>& cost) const {
        const auto worst = [&](const auto& term) { return isKnown ? term(p) : std::max(term(1.0), term(-1.0)); };
        const Bandwidth full = m_spread.full[spine], all = m_missing[spine], more = (m_upNow[spine] - m_passed[spine]) * full;
        Bandwidth sum;
        for (const auto e : m_aboveOf[spine])
            sum += worst([&](double mean) { return abs(m_dealtAbove[e] + m_above[e].share * m_above[e].lost * full * mean); });
        if (all <= Bandwidth()) return sum + worst([&](double mean) { return abs(more * mean); });
        for (const auto u : m_below[spine]) {
            const double part = m_uplinks[u].missing() / all;
            if (part <= 0) continue;
            for (const int side : {0, 1}) {
                const Bandwidth lost = m_passed[spine] * (side == 0 ? -all : all);
                cost[unitOf.at(m_uplinks[u].leaf)][static_cast<std::size_t>(side)] +=
                    part * worst([&](double mean) { return abs(more * mean + lost); });
            }
        }
        return sum;
    }

    // That the halves are equal: any multiplier gives a bound, a convex function of it; golden sections find the least.
    Bandwidth leastOverMultiplier(std::uint32_t network, const std::vector<Choice>& choices) const {
        const double apart = m_imbalance ? m_imbalance->endpoints : m_ends.size() % 2 == 1 ? 1 : 0;
        const auto at = [&](Bandwidth multiplier) { // for each endpoint that the sides are apart
            Bandwidth sum = apart * abs(multiplier);
            for (const Choice& lines : choices) {
                Bandwidth most(-std::numeric_limits<double>::infinity());
                for (const Line& line : lines) most = std::max(most, line.cost + multiplier * line.slope);
                sum += most;
            }
            return sum;
        };
        const Bandwidth plain = at(Bandwidth());
        if (!isEveryEndpointInOneUnit(network)) return plain;
        constexpr double section = 0.6180339887498949;
        const Bandwidth widest = plain / static_cast<double>(m_ends.size() + 1);
        Bandwidth low = -widest, high = widest, a = high - section * (high - low), b = low + section * (high - low);
        Bandwidth atA = at(a), atB = at(b);
        for (int step = 0; step < 24; ++step) {
            if (atA < atB) {
                high = b, b = a, atB = atA;
                atA = at(a = high - section * (high - low));
            } else {
                low = a, a = b, atA = atB;
                atB = at(b = low + section * (high - low));
            }
        }
        return std::min({plain, atA, atB});
    }
    bool isEveryEndpointInOneUnit(std::uint32_t network) const {
        std::vector<int> times(m_ends.size());
        for (const Unit& unit : m_units)
            if (m_graph.network[unit.leaves.front()] == network)
                for (const auto e : unit.endpoints) ++times[e];
        return std::all_of(times.begin(), times.end(), [](int t) { return t == 1; });
    }

    Candidate m_candidate = candidates.front();
    const RegularSpread& m_spread;
    const std::optional<Imbalance> m_imbalance;
    const SwitchGraph& m_graph;
    std::size_t m_nodes;
    const Endpoints& m_ends;
    std::vector<Uplink> m_uplinks;
    std::vector<Edge> m_above;                                               // of spines
    std::vector<std::vector<std::uint32_t>> m_uplinksOf, m_below, m_aboveOf; // of a leaf; below a spine; above a spine
    std::vector<Unit> m_units;
    std::vector<Pod> m_pods;
    std::vector<double> m_upNow;      // of a spine: fraction of its uplinks that is left; 1 at the top
    std::vector<double> m_passed;     // of a spine: fraction of what it gets
    std::vector<Bandwidth> m_missing; // of a spine: what it does not get
    std::vector<Bandwidth> m_dealtAbove, m_dealtHere;
    Bandwidth m_mostAhead; // H
};

} // namespace

LowerBound rerouteBound(const RegularSpread& spread, const std::optional<Imbalance>& imbalance) {
    return {Reroute(spread, imbalance).bound(), "rerouting bound for the worst split of the failures"};
}

} // namespace railyard
