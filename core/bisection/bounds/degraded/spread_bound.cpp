// Failures in a fabric that was even. Before them every endpoint could spread its full speed over the top switches, all of
// a network in the same proportions pi, up and down alike; so any two halves met there with half the injection. What
// failed takes D_A(m) from the first half's flow to top switch m and D_B(m) from the second's, and the two meet with at
// least half the injection less the sum of max(D_A(m), D_B(m)): worst for the halves that have most of the losses.
//
//   D_A(m) - D_B(m) = H pi(m) + y(m),  H: lost cables of endpoints, first half less second, at most all of them;
//                                      y(m): lost above the leaves, within +-Y(m), linear in which endpoint is where.
//
// The largest sum of |H pi(m) + y(m)| over halves is even and convex in H, so it is largest for the whole H; there each
// term is at most max(h, Y) + y min(h, Y)/Y with h = H pi(m), and that is a sum over endpoints: the larger half of their
// weights less the smaller. A top switch that lost all of its flow needs no estimate: D_A(m) = pi(m) times the speed of the
// first half before failures, so D_A - D_B is pi(m) times what two halves can differ by in speed, which is 0 for endpoints
// alike.
#include "core/bisection/bounds/degraded/spread_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace railyard {
namespace {

class Spread {
public:
    explicit Spread(const RegularSpread& spread) : m_spread(spread), m_graph(spread.graph), m_nodes(spread.isTop.size()) {}

    SpreadBound bound() {
        if (!isSameInAllNetworks()) return {};
        const Endpoints &before = m_spread.intact.ends, &now = m_spread.now.ends;
        m_loss.assign(now.size(), Bandwidth());
        for (const auto& a : before.attachments) m_loss[a.endpoint] += a.capacity;
        for (const auto& a : now.attachments) m_loss[a.endpoint] -= a.capacity;
        m_flowNow = m_spread.sentUp(m_spread.fromEndsNow);
        Bandwidth loss = lostOfEndpoints(); // in this order: each needs what the one before found
        loss += lostAbove();
        loss += worstDivision();
        return {{before.halfInjection() - loss / 2, "regular fabric minus the failed capacity, for its worst split"}, std::move(m_loss)};
    }

private:
    // With several networks every endpoint must be alike in each.
    bool isSameInAllNetworks() const {
        if (m_graph.networks == 1) return true;
        std::vector<std::vector<Bandwidth>> speed(m_graph.networks, std::vector<Bandwidth>(m_spread.intact.ends.size()));
        for (const auto& a : m_spread.intact.ends.attachments) speed[m_graph.network[a.node]][a.endpoint] += a.capacity;
        return std::all_of(speed.begin(), speed.end(), [](const std::vector<Bandwidth>& each) {
            return std::all_of(each.begin(), each.end(), [&](Bandwidth s) { return abs(s - each.front()) <= 1e-9 * each.front(); });
        });
    }

    Bandwidth lostOfEndpoints() {
        m_lostHere.assign(m_graph.networks, Bandwidth());
        for (std::uint32_t v = 0; v < m_nodes; ++v) m_lostHere[m_graph.network[v]] += m_spread.fromEnds[v] - m_spread.fromEndsNow[v];
        return std::accumulate(m_lostHere.begin(), m_lostHere.end(), Bandwidth());
    }

    // Y(m): flow whose path has a failed link.
    Bandwidth lostAbove() {
        m_lost.assign(m_nodes, Bandwidth());
        Bandwidth all;
        for (const auto& tier : m_spread.tiers) {
            m_spread.sendUp(tier, m_lost);
            for (const auto& e : tier.degraded) m_lost[e.upper] += e.share * e.lost * (m_flowNow[e.lower] - m_lost[e.lower]);
        }
        for (std::uint32_t v = 0; v < m_nodes; ++v)
            if (m_spread.isTop[v]) all += m_lost[v];
        return all;
    }

    // By how much two halves can differ in speed before failures, in every network.
    std::vector<Bandwidth> widestSpread() const {
        std::vector<std::vector<Bandwidth>> speed(m_graph.networks, std::vector<Bandwidth>(m_spread.intact.ends.size()));
        for (const auto& a : m_spread.intact.ends.attachments) speed[m_graph.network[a.node]][a.endpoint] += a.capacity;
        std::vector<Bandwidth> result;
        for (auto& each : speed) result.push_back(largerHalfLessSmaller(std::move(each)));
        return result;
    }

    Bandwidth worstDivision() {
        const std::vector<Bandwidth> spread = widestSpread();
        Bandwidth sum;
        std::vector<double> slope(m_nodes); // min(h, Y) / Y of the top switches
        for (std::uint32_t v = 0; v < m_nodes; ++v) {
            if (!m_spread.isTop[v]) continue;
            const auto network = m_graph.network[v];
            const double share = m_spread.injection[network] > Bandwidth() ? m_spread.full[v] / m_spread.injection[network] : 0;
            if (m_lost[v] > Bandwidth() && m_lost[v] >= m_flowNow[v] * (1 - 1e-12)) {
                sum += spread[network] * share;
                continue;
            }
            const Bandwidth h = m_lostHere[network] * share;
            sum += std::max(h, m_lost[v]);
            if (m_lost[v] > Bandwidth()) slope[v] = std::min(h, m_lost[v]) / m_lost[v];
        }
        const std::vector<double> average = m_spread.seenFromBelow(slope);
        std::vector<double> weight(m_nodes); // of a unit of flow that enters here
        for (auto tier = m_spread.tiers.rbegin(); tier != m_spread.tiers.rend(); ++tier) {
            m_spread.sendDown(*tier, weight);
            for (const auto& e : tier->degraded) weight[e.lower] += e.share * e.lost * (average[e.upper] - weight[e.upper]);
        }
        std::vector<std::vector<Bandwidth>> ofEndpoint(m_graph.networks, std::vector<Bandwidth>(m_spread.now.ends.size()));
        for (const auto& a : m_spread.now.ends.attachments) {
            const NodeId node = m_spread.nodeOfIntact[a.node];
            ofEndpoint[m_graph.network[node]][a.endpoint] += a.capacity * weight[node];
            m_loss[a.endpoint] += a.capacity * weight[node];
        }
        for (const auto& weights : ofEndpoint) sum += largerHalfLessSmaller(weights);
        return sum;
    }

    const RegularSpread& m_spread;
    const SwitchGraph& m_graph;
    std::size_t m_nodes;
    std::vector<Bandwidth> m_flowNow, m_lost; // of every node
    std::vector<Bandwidth> m_lostHere;        // of every network
    std::vector<Bandwidth> m_loss;            // of every endpoint
};

} // namespace

SpreadBound spreadBound(const RegularSpread& spread) { return Spread(spread).bound(); }

} // namespace railyard
