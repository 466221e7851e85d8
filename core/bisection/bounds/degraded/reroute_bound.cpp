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

#include "core/bisection/bounds/degraded/golden_section.h"
#include "core/bisection/bounds/degraded/reroute_flow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

namespace railyard {
namespace {

// Choices of which any gives a bound, the best is taken; these are the best of some tried on 65,536 GPUs with 1 % of the
// links failed: the first where every endpoint has cables left, the second where some have none.
struct Candidate {
    double heldBack;      // of what a spine gets too much
    double ofDeadUplinks; // weight of a dead uplink where H is dealt out
};
constexpr std::array candidates{Candidate{0.2, 0.5}, Candidate{0.1, 0.3}};
constexpr std::array slacks{0.0, 0.1, 0.2, 0.3, 0.4, 0.5}; // of what all leaves lack

using Unit = RerouteFlow::Unit;
using Pod = RerouteFlow::Pod;

// The division of the endpoints into halves that costs a network most.
class WorstDivision {
public:
    WorstDivision(const RerouteFlow& flow, double ofDeadUplinks) : m_flow(flow), m_ofDeadUplinks(ofDeadUplinks) {}

    // Most over all halves: H is at most `slack` above what the endpoints that are left can differ by, or costs in full
    // what it is above that, which is at most what the leaves of side A lack less what those of side B do.
    Bandwidth cost(std::uint32_t network, Bandwidth slack) {
        const Bandwidth rest = dealOut(network, m_flow.mostAhead + slack);
        std::array<std::vector<Choice>, 2> choices;
        for (const Pod& pod : m_flow.pods)
            if (m_flow.graph.network[pod.spines.front()] == network) addChoices(pod, choices);
        return rest + std::max(leastOverMultiplier(network, choices[0]), leastOverMultiplier(network, choices[1]) - slack);
    }

private:
    // A cost that depends on the multiplier.
    struct Line {
        Bandwidth cost;
        double slope;
    };
    using Choice = std::vector<Line>;       // the largest counts
    using Sides = std::array<Bandwidth, 2>; // cost of a unit on side B, on side A

    // Deals `ahead` pi(m) out to the links above spines, or to spines that are the top. Returns what no loss takes.
    Bandwidth dealOut(std::uint32_t network, Bandwidth allAhead) {
        std::vector<Bandwidth> losses(m_flow.nodes);
        std::vector<double> ofLoss(m_flow.nodes); // what is dealt out to a unit of loss
        m_dealtAbove.assign(m_flow.above.size(), Bandwidth());
        m_dealtHere.assign(m_flow.nodes, Bandwidth());
        for (std::uint32_t e = 0; e < m_flow.above.size(); ++e) losses[m_flow.above[e].upper] += m_dealtAbove[e] = lossAt(m_flow.above[e]);
        Bandwidth rest;
        for (std::uint32_t m = 0; m < m_flow.nodes; ++m) {
            if (!m_flow.spread.isTop[m] || m_flow.graph.network[m] != network) continue;
            const Bandwidth ahead(allAhead.value() * m_flow.spread.full[m].value() / m_flow.spread.injection[network].value());
            m_dealtHere[m] = ahead; // of use where spines are the top
            if (losses[m] + m_flow.missing[m] <= Bandwidth()) rest += ahead;
            ofLoss[m] = losses[m] > Bandwidth() ? ahead / losses[m] : 0;
        }
        for (std::uint32_t e = 0; e < m_flow.above.size(); ++e) m_dealtAbove[e] = m_dealtAbove[e] * ofLoss[m_flow.above[e].upper];
        return rest;
    }
    Bandwidth lossAt(const RegularSpread::Up& e) const {
        return e.share *
               (m_flow.hasDeadUplinks(e.lower) ? m_ofDeadUplinks * m_flow.spread.full[e.lower] * e.lost : m_flow.missing[e.lower]);
    }

    // Of each pod the cost of every number of units on side A, [0] as it is and [1] with what they lack.
    void addChoices(const Pod& pod, std::array<std::vector<Choice>, 2>& choices) const {
        const std::size_t count = pod.units.size();
        std::map<std::uint32_t, std::size_t> unitOf;
        bool areEqual = true;
        for (std::size_t i = 0; i < count; ++i) {
            const Unit &own = m_flow.units[pod.units[i]], &first = m_flow.units[pod.units[0]];
            for (const NodeId leaf : own.leaves) unitOf[leaf] = i;
            areEqual = areEqual && abs(own.full - first.full) <= 1e-9 * first.full && own.endpoints.size() == first.endpoints.size();
        }
        std::vector<Sides> plain(count); // whatever p
        for (const NodeId spine : pod.spines) addMissing(spine, unitOf, plain);
        std::array<Choice, 2> byCount;
        for (std::size_t onA = 0; onA <= count; ++onA) {
            const double p = (2.0 * static_cast<double>(onA) - static_cast<double>(count)) / static_cast<double>(count);
            auto cost = plain;
            Bandwidth base;
            for (const NodeId spine : pod.spines)
                if (m_flow.hasDeadUplinks(spine)) base += deadUplinks(spine, p, areEqual, unitOf, cost);
            for (const int tilt : {0, 1}) {
                auto& here = choices[static_cast<std::size_t>(tilt)];
                if (areEqual)
                    byCount[static_cast<std::size_t>(tilt)].push_back(worstOfCount(pod, cost, base, onA, tilt));
                else
                    addFreeUnits(pod, cost, base, tilt, here);
            }
            if (!areEqual) return; // p is not known from the count: every term stood at its worst, every unit is free
        }
        for (const std::size_t tilt : {0U, 1U}) choices[tilt].push_back(std::move(byCount[tilt]));
    }
    Line worstOfCount(const Pod& pod, const std::vector<Sides>& cost, Bandwidth base, std::size_t onA, int tilt) const {
        std::vector<Bandwidth> extra;
        for (std::size_t i = 0; i < pod.units.size(); ++i) {
            const Bandwidth lacks = tilt * m_flow.units[pod.units[i]].lacks;
            base += cost[i][0] + lacks;
            extra.push_back(cost[i][1] - cost[i][0] - 2 * lacks);
        }
        const auto end = extra.begin() + static_cast<std::ptrdiff_t>(onA);
        if (end != extra.end()) std::nth_element(extra.begin(), end, extra.end(), std::greater<>());
        const double size = static_cast<double>(m_flow.units[pod.units[0]].endpoints.size());
        return {std::accumulate(extra.begin(), end, base), size * (static_cast<double>(extra.size()) - 2.0 * static_cast<double>(onA))};
    }
    void addFreeUnits(const Pod& pod, const std::vector<Sides>& cost, Bandwidth base, int tilt, std::vector<Choice>& choices) const {
        choices.push_back({{base, 0}});
        for (std::size_t i = 0; i < pod.units.size(); ++i) {
            const Unit& unit = m_flow.units[pod.units[i]];
            const double size = static_cast<double>(unit.endpoints.size());
            choices.push_back({{cost[i][0] + tilt * unit.lacks, size}, {cost[i][1] - tilt * unit.lacks, -size}});
        }
    }

    // A spine with all uplinks spreads what a leaf does not send over all it leads to.
    void addMissing(NodeId spine, const std::map<std::uint32_t, std::size_t>& unitOf, std::vector<Sides>& cost) const {
        const Bandwidth all = m_flow.missing[spine];
        if (m_flow.hasDeadUplinks(spine) || all <= Bandwidth()) return;
        for (const int side : {0, 1}) {
            const Bandwidth lost = side == 0 ? -all : all;
            Bandwidth sum = m_flow.spread.isTop[spine] ? abs(m_dealtHere[spine] + lost) : Bandwidth();
            for (const auto e : m_flow.aboveOf[spine]) sum += abs(m_dealtAbove[e] + lost * m_flow.above[e].share);
            for (const auto u : m_flow.below[spine])
                cost[unitOf.at(m_flow.uplinks[u].leaf)][static_cast<std::size_t>(side)] +=
                    Bandwidth(sum.value() * m_flow.uplinks[u].missing().value() / all.value());
        }
    }

    // Returns what does not depend on which units are on side A, only on p.
    Bandwidth deadUplinks(NodeId spine, double p, bool isKnown, const std::map<std::uint32_t, std::size_t>& unitOf,
                          std::vector<Sides>& cost) const {
        const auto worst = [&](const auto& term) { return isKnown ? term(p) : std::max(term(1.0), term(-1.0)); };
        const Bandwidth full = m_flow.spread.full[spine], all = m_flow.missing[spine],
                        more = (m_flow.upNow[spine] - m_flow.passed[spine]) * full;
        Bandwidth sum;
        for (const auto e : m_flow.aboveOf[spine])
            sum += worst([&](double mean) { return abs(m_dealtAbove[e] + m_flow.above[e].share * m_flow.above[e].lost * full * mean); });
        if (all <= Bandwidth()) return sum + worst([&](double mean) { return abs(more * mean); });
        for (const auto u : m_flow.below[spine]) {
            const double part = m_flow.uplinks[u].missing() / all;
            if (part <= 0) continue;
            for (const int side : {0, 1}) {
                const Bandwidth lost = m_flow.passed[spine] * (side == 0 ? -all : all);
                cost[unitOf.at(m_flow.uplinks[u].leaf)][static_cast<std::size_t>(side)] +=
                    part * worst([&](double mean) { return abs(more * mean + lost); });
            }
        }
        return sum;
    }

    // That the halves are equal: any multiplier gives a bound, a convex function of it; golden sections find the least.
    Bandwidth leastOverMultiplier(std::uint32_t network, const std::vector<Choice>& choices) const {
        const double apart = m_flow.imbalance ? m_flow.imbalance->endpoints : m_flow.ends.size() % 2 == 1 ? 1 : 0;
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
        const Bandwidth widest = plain / static_cast<double>(m_flow.ends.size() + 1);
        return std::min(plain, leastBetween(-widest, widest, 24, at).second);
    }
    bool isEveryEndpointInOneUnit(std::uint32_t network) const {
        std::vector<int> times(m_flow.ends.size());
        for (const Unit& unit : m_flow.units)
            if (m_flow.graph.network[unit.leaves.front()] == network)
                for (const auto e : unit.endpoints) ++times[e];
        return std::all_of(times.begin(), times.end(), [](int t) { return t == 1; });
    }

    const RerouteFlow& m_flow;
    const double m_ofDeadUplinks;
    std::vector<Bandwidth> m_dealtAbove, m_dealtHere;
};

// Sum of all flow less the sum over the top switches of how far the halves' flows can differ there.
Bandwidth ofNetwork(RerouteFlow& flow, const Candidate& candidate, std::uint32_t network) {
    const auto [passed, lacks] = flow.passedAndLacking(network);
    const Bandwidth irregularity = flow.takeShares(network);
    WorstDivision division(flow, candidate.ofDeadUplinks);
    Bandwidth most;
    for (const double part : slacks) most = std::max(most, passed - irregularity - division.cost(network, part * lacks));
    return most;
}

} // namespace

LowerBound rerouteBound(const RegularSpread& spread, const std::optional<Imbalance>& imbalance, Bandwidth wanted) {
    const std::string name = "rerouting bound for the worst split of the failures";
    RerouteFlow flow(spread, imbalance);
    if (!flow.isSorted()) return {{}, name};
    Bandwidth best;
    for (const Candidate& candidate : candidates) {
        flow.send(candidate.heldBack);
        Bandwidth passed, twice;
        for (std::uint32_t network = 0; network < flow.graph.networks; ++network) passed += flow.passedAndLacking(network).first;
        if (passed / 2 < wanted * (1 - 1e-9)) continue; // what a division costs comes off that
        for (std::uint32_t network = 0; network < flow.graph.networks; ++network) twice += ofNetwork(flow, candidate, network);
        best = std::max(best, twice / 2);
    }
    return {best, name};
}

} // namespace railyard
