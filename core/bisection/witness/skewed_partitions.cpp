#include "core/bisection/witness/skewed_partitions.h"

#include "core/bisection/problem/ports_of_endpoints.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

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
          m_order(q.graph.device.size()),
          m_skew(q.graph.device.size()),
          m_onA(q.graph.device.size()),
          m_all(q.graph.device.size()) {
        std::iota(m_order.begin(), m_order.end(), NodeId(0));
        std::stable_sort(m_order.begin(), m_order.end(), [&](NodeId a, NodeId b) { return q.graph.tier[a] < q.graph.tier[b]; });
        findClasses();
        findUplinks();
        addUp(m_all, [](const Class& each) { return each.members.size(); });
    }
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
        addUp(m_onA, [](const Class& each) { return each.onA; });
        for (const NodeId v : m_order) {
            if (!isTop(v)) continue;
            const double other = m_all[v] - m_onA[v];
            estimate.cut += std::min(m_onA[v], other);
            if (m_onA[v] != other) m_skew[v] = m_onA[v] > other ? 1 : -1;
        }
        return estimate;
    }

private:
    struct Uplink {
        std::uint32_t upper;
        double capacity; // bit/s, as all that follows
    };
    struct Port { // of an endpoint
        std::uint32_t node;
        double capacity;
    };
    // Endpoints with the same ports in the same order, which always have the same skew.
    struct Class {
        std::vector<std::uint32_t> members;
        std::vector<Port> ports;
        std::uint32_t home = none; // the first of its leaves
        double skew = 0;
        std::size_t onA = 0; // members
    };

    bool isTop(NodeId v) const { return m_q.graph.edgesAbove(v).empty() && m_q.graph.groupBelow[v] != none; }
    std::span<const Uplink> uplinksOf(std::size_t v) const {
        return std::span(m_uplinks).subspan(m_firstUplink[v], m_firstUplink[v + 1] - m_firstUplink[v]);
    }

    // Switches with the same uplinks and endpoints, such as the leaves of an SU, always have the same skew, so the first represents all.
    void findUplinks() {
        const SwitchGraph& graph = m_q.graph;
        using Ports = std::vector<std::pair<std::uint32_t, double>>; // numbers of others or of classes, and capacities
        std::vector<Ports> ofClasses(graph.device.size());
        for (std::uint32_t c = 0; c < m_classes.size(); ++c)
            for (const Port& port : m_classes[c].ports) ofClasses[port.node].emplace_back(c, port.capacity);
        std::map<std::pair<Ports, Ports>, NodeId> known;
        std::vector<NodeId> first(graph.device.size());
        std::vector<double> times(graph.device.size());
        std::vector<Ports> uplinks(graph.device.size());
        for (const NodeId v : graph.nodes()) {
            for (const auto& edge : graph.edgesAbove(v))
                if (graph.tier[edge.upper] > graph.tier[edge.lower]) uplinks[v].emplace_back(edge.upper, edge.capacity.value());
            first[v] = v;
            if (graph.groupBelow[v] == none && !ofClasses[v].empty())
                first[v] = known.try_emplace({uplinks[v], std::move(ofClasses[v])}, v).first->second;
            ++times[first[v]];
        }
        for (const NodeId v : graph.nodes()) {
            m_firstUplink.push_back(static_cast<std::uint32_t>(m_uplinks.size()));
            m_upwards.push_back(0);
            if (first[v] != v) continue;
            for (const auto& [upper, capacity] : uplinks[v]) {
                m_uplinks.push_back({upper, capacity * times[v]});
                m_upwards.back() += m_uplinks.back().capacity;
            }
        }
        m_firstUplink.push_back(static_cast<std::uint32_t>(m_uplinks.size()));
        std::erase_if(m_order, [&](NodeId v) { return first[v] != v; });
        for (Class& each : m_classes) {
            std::erase_if(each.ports, [&](const Port& port) { return first[port.node] != port.node; });
            for (Port& port : each.ports) port.capacity *= times[port.node];
        }
    }
    void findClasses() {
        const PortsOfEndpoints ports(m_q.ends);
        std::map<std::vector<PortsOfEndpoints::Port>, std::size_t> known;
        std::size_t last = 0; // class of the endpoint before
        for (std::uint32_t e = 0; e < ports.size(); ++e) {
            const auto own = ports.of(e);
            if (m_classes.empty() || !std::ranges::equal(own, ports.of(m_classes[last].members.back()))) {
                const auto [at, isNew] = known.try_emplace({own.begin(), own.end()}, m_classes.size());
                last = at->second;
                if (isNew) {
                    Class& added = m_classes.emplace_back();
                    for (const auto& port : own) {
                        added.ports.push_back({port.node, port.capacity.value()});
                        added.home = std::min<std::uint32_t>(added.home, port.node);
                    }
                }
            }
            m_classes[last].members.push_back(e);
        }
    }

    void skewDownwards() {
        for (auto it = m_order.rbegin(); it != m_order.rend(); ++it) {
            const NodeId v = *it;
            if (m_q.graph.edgesAbove(v).empty()) continue;
            double sum = 0;
            for (const Uplink& uplink : uplinksOf(v)) sum += uplink.capacity * m_skew[uplink.upper];
            m_skew[v] = m_upwards[v] > 0 ? sum / m_upwards[v] : 0;
        }
    }
    // A leaf is divided only in the middle.
    std::vector<bool> halfByLean() {
        for (Class& each : m_classes) {
            each.skew = 0;
            for (const Port& port : each.ports) each.skew += port.capacity * m_skew[port.node];
            each.onA = 0;
        }
        std::vector<std::uint32_t> order(m_classes.size());
        std::iota(order.begin(), order.end(), 0U);
        const auto isBefore = [&](std::uint32_t a, std::uint32_t b) {
            const Class &x = m_classes[a], &y = m_classes[b];
            return x.skew != y.skew ? x.skew > y.skew : x.home < y.home;
        };
        std::stable_sort(order.begin(), order.end(), isBefore);
        std::vector<bool> sideA(m_q.ends.size());
        std::size_t wanted = sideA.size() / 2;
        for (std::size_t first = 0, end = 0; wanted > 0; first = end) { // classes of one skew and home, by endpoint
            while (end < order.size() && !isBefore(order[first], order[end])) ++end;
            std::vector<std::pair<std::uint32_t, std::uint32_t>> members; // and their class
            for (std::size_t i = first; i < end; ++i)
                for (const std::uint32_t e : m_classes[order[i]].members) members.emplace_back(e, order[i]);
            if (end - first > 1) std::sort(members.begin(), members.end());
            for (std::size_t i = 0; i < members.size() && wanted > 0; ++i, --wanted) {
                sideA[members[i].first] = true;
                ++m_classes[members[i].second].onA;
            }
        }
        return sideA;
    }
    // Sets `below` to the capacity that each switch receives from `countOf(class)` members of every class. A switch divides what it
    // receives over its uplinks in proportion to their capacity.
    template <class Count>
    void addUp(std::vector<double>& below, const Count& countOf) const {
        std::fill(below.begin(), below.end(), 0.0);
        for (const Class& each : m_classes)
            for (const Port& port : each.ports) below[port.node] += port.capacity * static_cast<double>(countOf(each));
        for (const NodeId v : m_order) {
            if (m_all[v] <= 0) continue;
            const double share = below[v] / m_all[v];
            for (const Uplink& uplink : uplinksOf(v)) below[uplink.upper] += uplink.capacity * share;
        }
    }

    const BisectionProblem& m_q;
    std::vector<NodeId> m_order;              // by tier
    std::vector<std::uint32_t> m_firstUplink; // by node
    std::vector<Uplink> m_uplinks;            // to higher tiers
    std::vector<double> m_upwards;            // by node: their sum
    std::vector<Class> m_classes;
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
