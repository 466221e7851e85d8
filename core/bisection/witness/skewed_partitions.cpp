#include "core/bisection/witness/skewed_partitions.h"

#include <algorithm>
#include <numeric>

namespace railyard {
namespace {

struct Estimate {
    double cut = 0; // bit/s, between the top switches and what hangs below
    std::vector<bool> sideA;
};

// In turn: every endpoint goes to the side to which its uplinks are skewed, every top switch to the side that has more capacity to it.
class Turns {
public:
    explicit Turns(const BisectionProblem& q)
        : m_q(q),
          m_rising(q.graph.device.size()),
          m_skew(q.graph.device.size()),
          m_onA(q.graph.device.size()),
          m_all(q.graph.device.size()) {
        std::iota(m_rising.begin(), m_rising.end(), NodeId(0));
        std::stable_sort(m_rising.begin(), m_rising.end(), [&](NodeId a, NodeId b) { return q.graph.tier[a] < q.graph.tier[b]; });
    }
    static bool rises(const SwitchGraph& graph, const SwitchGraph::Edge& edge) { return graph.tier[edge.upper] > graph.tier[edge.lower]; }
    bool isTop(NodeId v) const { return m_q.graph.edgesAbove(v).empty() && m_q.graph.groupBelow[v] != none; }
    double workOfATurn() const { return static_cast<double>(2 * m_q.graph.edges.size() + 12 * m_q.ends.attachments.size() + 1); }

    // Side A of the top switches is the window of half of each group's upper switches that begins at `first`, cyclically.
    void startAt(std::size_t first) {
        std::fill(m_skew.begin(), m_skew.end(), 0.0);
        for (const auto& group : m_q.graph.groups)
            for (std::size_t i = 0; i < group.uppers.size(); ++i)
                if (isTop(group.uppers[i]))
                    m_skew[group.uppers[i]] =
                        (i + group.uppers.size() - first % group.uppers.size()) % group.uppers.size() < group.uppers.size() / 2 ? 1 : -1;
    }
    Estimate turn() {
        skewDownwards();
        Estimate estimate{0, halfByLean()};
        shareUpwards(estimate.sideA);
        for (const auto v : m_rising) {
            if (!isTop(v)) continue;
            const double other = m_all[v] - m_onA[v];
            estimate.cut += std::min(m_onA[v], other);
            if (m_onA[v] != other) m_skew[v] = m_onA[v] > other ? 1 : -1;
        }
        return estimate;
    }

private:
    void skewDownwards() {
        for (auto it = m_rising.rbegin(); it != m_rising.rend(); ++it) {
            const auto above = m_q.graph.edgesAbove(*it);
            if (above.empty()) continue;
            double sum = 0, all = 0;
            for (const auto& edge : above) {
                if (!rises(m_q.graph, edge)) continue;
                sum += edge.capacity.value() * m_skew[edge.upper];
                all += edge.capacity.value();
            }
            m_skew[*it] = all > 0 ? sum / all : 0;
        }
    }
    std::vector<bool> halfByLean() const {
        std::vector<double> skew(m_q.ends.size());
        std::vector<NodeId> home(m_q.ends.size(), none);
        std::vector<std::uint32_t> order(m_q.ends.size());
        for (const auto& a : m_q.ends.attachments) {
            skew[a.endpoint] += a.capacity.value() * m_skew[a.node];
            home[a.endpoint] = std::min(home[a.endpoint], a.node);
        }
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return skew[a] != skew[b] ? skew[a] > skew[b] : home[a] < home[b]; // a leaf is divided only in the middle
        });
        std::vector<bool> sideA(order.size());
        for (std::size_t i = 0; i < order.size() / 2; ++i) sideA[order[i]] = true;
        return sideA;
    }
    // Of what a switch has from below, the part that comes from side A.
    void shareUpwards(const std::vector<bool>& sideA) {
        std::fill(m_onA.begin(), m_onA.end(), 0.0);
        std::fill(m_all.begin(), m_all.end(), 0.0);
        for (const auto& a : m_q.ends.attachments) {
            m_all[a.node] += a.capacity.value();
            if (sideA[a.endpoint]) m_onA[a.node] += a.capacity.value();
        }
        for (const auto v : m_rising) {
            if (m_all[v] <= 0) continue;
            const double share = m_onA[v] / m_all[v];
            for (const auto& edge : m_q.graph.edgesAbove(v)) {
                if (!rises(m_q.graph, edge)) continue;
                m_all[edge.upper] += edge.capacity.value();
                m_onA[edge.upper] += edge.capacity.value() * share;
            }
        }
    }

    const BisectionProblem& m_q;
    std::vector<NodeId> m_rising;     // nodes by tier
    std::vector<double> m_skew;       // of a node: 1 on side A ... -1 on side B
    std::vector<double> m_onA, m_all; // of a node: bit/s from below, of side A and in all
};

} // namespace

std::vector<std::vector<bool>> skewedPartitions(const BisectionProblem& q, std::size_t most) {
    constexpr double mostWork = 3e7; // edges and attachments looked at
    constexpr int mostTurns = 12;
    std::size_t windows = 0;
    for (const auto& group : q.graph.groups) windows = std::max(windows, group.uppers.size());
    if (windows < 2) return {};
    Turns turns(q);
    std::vector<Estimate> best;
    double work = 0;
    for (std::size_t first = 0; first < windows && work < mostWork; ++first) {
        turns.startAt(first);
        Estimate least;
        for (int turn = 0; turn < mostTurns; ++turn) {
            work += turns.workOfATurn();
            Estimate next = turns.turn();
            if (!least.sideA.empty() && next.cut >= least.cut) break;
            least = std::move(next);
        }
        best.push_back(std::move(least));
    }
    std::stable_sort(best.begin(), best.end(), [](const Estimate& a, const Estimate& b) { return a.cut < b.cut; });
    std::vector<std::vector<bool>> partitions;
    for (Estimate& estimate : best)
        if (partitions.size() < most && std::find(partitions.begin(), partitions.end(), estimate.sideA) == partitions.end())
            partitions.push_back(std::move(estimate.sideA));
    return partitions;
}

} // namespace railyard
