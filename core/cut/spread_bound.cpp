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
// weights less the smaller.
#include "core/cut/balanced_cut.h"
#include "core/cut/certificate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace railyard {
namespace {

constexpr double tolerance = 1e-9;
constexpr std::uint32_t mostNetworks = 64;

class Spread {
public:
    Spread(const Question& q, const Question& intact) : m_q(q), m_intact(intact), m_graph(intact.graph), m_nodes(m_graph.device.size()) {}

    SpreadBound bound() {
        if (!isComparable() || !takeEdges() || !isAlike() || !takeAttachments() || !isWide()) return {};
        m_loss.assign(m_q.ends.size(), 0);
        for (const auto& a : m_intact.ends.attachments) m_loss[a.endpoint] += a.capacity;
        for (const auto& a : m_q.ends.attachments) m_loss[a.endpoint] -= a.capacity;
        const double loss = (lostOfEndpoints() + lostAbove() + worstDivision()) / 2;
        return {{m_intact.ends.halfInjection() - loss, "what was even, less what failed at its worst division,"}, std::move(m_loss)};
    }

private:
    struct Up {
        std::uint32_t lower, upper;
        double capacity, share, lost; // bit/s; of the flow of the lower switch; fraction of the capacity that failed
    };

    bool isComparable() const {
        return m_q.key != BisectionKey::GpuWithHb && m_q.ends.size() == m_intact.ends.size() &&
               m_q.fabric.intact.get() == &m_intact.fabric && m_graph.networks <= mostNetworks && m_graph.networks > 0;
    }

    // Edges of the intact fabric from the lowest tier up, with what is left of each.
    bool takeEdges() {
        std::vector<std::uint32_t> nodeOf(m_intact.fabric.devices.size(), none);
        for (std::uint32_t v = 0; v < m_nodes; ++v) nodeOf[m_graph.device[v]] = v;
        m_nodeNow.clear();
        for (const std::uint32_t device : m_q.graph.device) m_nodeNow.push_back(nodeOf[m_q.fabric.intactDevice[device]]);
        std::vector<double> up(m_nodes);
        for (const auto& edge : m_graph.edges) {
            if (m_graph.tier[edge.lower] >= m_graph.tier[edge.upper]) return false;
            up[edge.lower] += edge.capacity.value();
        }
        auto left = m_q.graph.edges.begin(); // both lists are sorted, and renumbering keeps their order
        const auto key = [&](const SwitchGraph::Edge& e) { return std::pair(m_nodeNow[e.lower], m_nodeNow[e.upper]); };
        for (const auto& edge : m_graph.edges) {
            const std::pair own(edge.lower, edge.upper);
            while (left != m_q.graph.edges.end() && key(*left) < own) ++left;
            const bool there = left != m_q.graph.edges.end() && key(*left) == own;
            const double now = there ? left->capacity.value() : 0, before = edge.capacity.value();
            m_edges.push_back({edge.lower, edge.upper, before, before / up[edge.lower], std::max(0.0, 1 - now / before)});
        }
        std::stable_sort(m_edges.begin(), m_edges.end(),
                         [&](const Up& a, const Up& b) { return m_graph.tier[a.lower] < m_graph.tier[b.lower]; });
        m_isTop.assign(m_nodes, true);
        for (const Up& edge : m_edges) m_isTop[edge.lower] = false;
        return true;
    }

    // Flow from below, passed on upwards by the shares.
    std::vector<double> sentUp(std::vector<double> flow) const {
        for (const Up& edge : m_edges) flow[edge.upper] += edge.share * flow[edge.lower];
        return flow;
    }
    // A value of the top switches, as their average seen from below.
    std::vector<double> seenFromBelow(std::vector<double> value) const {
        for (auto edge = m_edges.rbegin(); edge != m_edges.rend(); ++edge) value[edge->lower] += edge->share * value[edge->upper];
        return value;
    }

    // All leaves of a network spread over its top switches in one proportion. Three random weights of the top switches see
    // any difference.
    bool isAlike() const {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            std::vector<double> value(m_nodes);
            for (std::uint32_t v = 0; v < m_nodes; ++v)
                if (m_isTop[v]) value[v] = randomWeight(seed, v);
            value = seenFromBelow(std::move(value));
            std::vector<double> ofNetwork(m_graph.networks, -1);
            for (const auto& a : m_intact.ends.attachments) {
                double& seen = ofNetwork[m_graph.network[a.node]];
                if (seen < 0) seen = value[a.node];
                if (std::abs(value[a.node] - seen) > tolerance) return false;
            }
        }
        return true;
    }
    static double randomWeight(std::uint64_t seed, std::uint32_t node) { // splitmix64
        std::uint64_t z = seed * 0x9e3779b97f4a7c15ULL + node * 0xd1342543de82ef95ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return static_cast<double>((z ^ (z >> 31)) >> 11) / static_cast<double>(1ULL << 53);
    }

    // What endpoints send into each switch, before and now. With several networks every endpoint must be alike in each.
    bool takeAttachments() {
        m_before.assign(m_nodes, 0);
        m_now.assign(m_nodes, 0);
        std::vector<std::vector<double>> speed(m_graph.networks, std::vector<double>(m_intact.ends.size()));
        for (const auto& a : m_intact.ends.attachments) {
            m_before[a.node] += a.capacity;
            speed[m_graph.network[a.node]][a.endpoint] += a.capacity;
        }
        for (const auto& a : m_q.ends.attachments) m_now[m_nodeNow[a.node]] += a.capacity;
        if (m_graph.networks == 1) return true;
        return std::all_of(speed.begin(), speed.end(), [](const std::vector<double>& each) {
            return std::all_of(each.begin(), each.end(), [&](double s) { return std::abs(s - each.front()) <= tolerance * each.front(); });
        });
    }

    // Every link carries its share of all endpoints sending at full speed.
    bool isWide() {
        m_flowBefore = sentUp(m_before);
        m_flowNow = sentUp(m_now);
        return std::all_of(m_edges.begin(), m_edges.end(),
                           [&](const Up& e) { return e.share * m_flowBefore[e.lower] <= e.capacity * (1 + tolerance); });
    }

    double lostOfEndpoints() {
        m_injection.assign(m_graph.networks, 0);
        m_lostHere.assign(m_graph.networks, 0);
        for (std::uint32_t v = 0; v < m_nodes; ++v) {
            m_injection[m_graph.network[v]] += m_before[v];
            m_lostHere[m_graph.network[v]] += m_before[v] - m_now[v];
        }
        return std::accumulate(m_lostHere.begin(), m_lostHere.end(), 0.0);
    }

    // Y(m): flow whose path has a failed link.
    double lostAbove() {
        m_lost.assign(m_nodes, 0);
        double all = 0;
        for (const Up& e : m_edges) m_lost[e.upper] += e.share * (m_lost[e.lower] + e.lost * (m_flowNow[e.lower] - m_lost[e.lower]));
        for (std::uint32_t v = 0; v < m_nodes; ++v)
            if (m_isTop[v]) all += m_lost[v];
        return all;
    }

    double worstDivision() {
        double sum = 0;
        std::vector<double> slope(m_nodes); // min(h, Y) / Y of the top switches
        for (std::uint32_t v = 0; v < m_nodes; ++v) {
            if (!m_isTop[v]) continue;
            const std::uint32_t network = m_graph.network[v];
            const double share = m_injection[network] > 0 ? m_flowBefore[v] / m_injection[network] : 0;
            const double h = m_lostHere[network] * share;
            sum += std::max(h, m_lost[v]);
            if (m_lost[v] > 0) slope[v] = std::min(h, m_lost[v]) / m_lost[v];
        }
        const std::vector<double> average = seenFromBelow(slope);
        std::vector<double> weight(m_nodes); // of a unit of flow that enters here
        for (auto e = m_edges.rbegin(); e != m_edges.rend(); ++e)
            weight[e->lower] += e->share * ((1 - e->lost) * weight[e->upper] + e->lost * average[e->upper]);
        std::vector<std::vector<double>> ofEndpoint(m_graph.networks, std::vector<double>(m_q.ends.size()));
        for (const auto& a : m_q.ends.attachments) {
            const std::uint32_t node = m_nodeNow[a.node];
            ofEndpoint[m_graph.network[node]][a.endpoint] += a.capacity * weight[node];
            m_loss[a.endpoint] += a.capacity * weight[node];
        }
        for (auto& weights : ofEndpoint) sum += largerHalfLessSmaller(weights);
        return sum;
    }
    static double largerHalfLessSmaller(std::vector<double>& weights) {
        std::sort(weights.begin(), weights.end(), std::greater<>());
        const auto middle = weights.begin() + static_cast<std::ptrdiff_t>((weights.size() + 1) / 2);
        return std::accumulate(weights.begin(), middle, 0.0) - std::accumulate(middle, weights.end(), 0.0);
    }

    const Question &m_q, &m_intact;
    const SwitchGraph& m_graph; // of the intact fabric; all nodes below are its
    std::size_t m_nodes;
    std::vector<std::uint32_t> m_nodeNow; // intact node of every node that is left
    std::vector<Up> m_edges;
    std::vector<bool> m_isTop;
    std::vector<double> m_before, m_now, m_flowBefore, m_flowNow, m_lost; // bit/s of every node
    std::vector<double> m_injection, m_lostHere;                          // of every network
    std::vector<double> m_loss;                                           // of every endpoint
};

} // namespace

SpreadBound spreadBound(const Question& q, const Question& intact) { return Spread(q, intact).bound(); }

} // namespace railyard
