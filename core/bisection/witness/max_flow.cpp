#include "core/bisection/witness/max_flow.h"

#include <algorithm>
#include <limits>

namespace railyard {
namespace {
constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();
// Capacities are sums of port speeds, whole numbers of bit/s; what is left below one bit/s is rounding.
constexpr double smallest = 0.5;
} // namespace

std::uint32_t MaxFlow::addEdge(std::uint32_t u, std::uint32_t v, Bandwidth capacity) {
    m_arcs.clear();
    m_edges.push_back({u, v, u != v ? capacity.value() : 0});
    return static_cast<std::uint32_t>(m_edges.size() - 1);
}

void MaxFlow::buildArcs() {
    m_first.assign(m_nodes + 1, 0);
    for (const Edge& edge : m_edges) {
        ++m_first[edge.u + 1];
        ++m_first[edge.v + 1];
    }
    for (std::uint32_t v = 0; v < m_nodes; ++v) m_first[v + 1] += m_first[v];
    std::vector<std::uint32_t> at(m_first.begin(), m_first.end() - 1);
    m_arcs.resize(m_edges.size() * 2);
    m_residual.resize(m_arcs.size());
    for (Edge& edge : m_edges) {
        const std::uint32_t forward = at[edge.u]++, backward = at[edge.v]++;
        m_arcs[forward] = {edge.v, backward};
        m_arcs[backward] = {edge.u, forward};
        edge.arc = forward;
    }
}

void MaxFlow::start() {
    if (m_arcs.empty()) buildArcs();
    for (const Edge& edge : m_edges) m_residual[edge.arc] = m_residual[m_arcs[edge.arc].reverse] = edge.capacity;
    m_flow = 0;
}

void MaxFlow::raise(std::uint32_t edge, Bandwidth by) {
    const std::uint32_t arc = m_edges[edge].arc;
    m_residual[arc] += by.value();
    m_residual[m_arcs[arc].reverse] += by.value();
}

void MaxFlow::keep(State& in) const {
    in.flow = m_flow;
    in.residual = m_residual;
}

void MaxFlow::returnTo(const State& state) {
    m_flow = state.flow;
    m_residual = state.residual;
}

// Levels count from the sink, so that push() enters no node that does not lead there.
bool MaxFlow::findLevels() {
    m_level.assign(m_nodes, unseen);
    m_queue.assign(1, m_sink);
    m_level[m_sink] = 0;
    for (std::size_t head = 0; head < m_queue.size(); ++head) {
        const std::uint32_t v = m_queue[head], level = m_level[v] + 1;
        for (std::uint32_t a = m_first[v]; a < m_first[v + 1]; ++a) {
            const Arc arc = m_arcs[a];
            if (m_level[arc.to] != unseen || m_residual[arc.reverse] < smallest) continue;
            m_level[arc.to] = level;
            if (arc.to == m_source) return true;
            m_queue.push_back(arc.to);
        }
    }
    return false;
}

// Depth is the number of tiers on a path, so recursion is shallow.
double MaxFlow::push(std::uint32_t node, double limit) {
    if (node == m_sink) return limit;
    double pushed = 0;
    const std::uint32_t end = m_first[node + 1], level = m_level[node] - 1;
    const std::uint32_t* const levels = m_level.data();
    std::uint32_t a = m_next[node];
    for (; a < end; ++a) {
        const Arc arc = m_arcs[a];
        if (levels[arc.to] != level || m_residual[a] < smallest) continue;
        const double done = push(arc.to, std::min(limit - pushed, m_residual[a]));
        m_residual[a] -= done;
        m_residual[arc.reverse] += done;
        pushed += done;
        if (limit - pushed < smallest) break;
    }
    m_next[node] = a; // the arcs before it lead no further
    return pushed;
}

Bandwidth MaxFlow::run(std::uint32_t source, std::uint32_t sink, Bandwidth enough) {
    start();
    return augment(source, sink, enough);
}

Bandwidth MaxFlow::augment(std::uint32_t source, std::uint32_t sink, Bandwidth enough) {
    for (double before = -1; m_flow > before && m_flow < enough.value();) {
        before = m_flow;
        augmentOnce(source, sink);
    }
    return Bandwidth(m_flow);
}

Bandwidth MaxFlow::augmentOnce(std::uint32_t source, std::uint32_t sink) {
    m_source = source;
    m_sink = sink;
    if (findLevels()) {
        m_next.assign(m_first.begin(), m_first.end() - 1);
        m_flow += push(source, std::numeric_limits<double>::max());
    }
    return Bandwidth(m_flow);
}

std::vector<bool> MaxFlow::sourceSide() const {
    std::vector<bool> side(m_nodes);
    std::vector<std::uint32_t> queue{m_source};
    side[m_source] = true;
    for (std::size_t head = 0; head < queue.size(); ++head)
        for (std::uint32_t a = m_first[queue[head]]; a < m_first[queue[head] + 1]; ++a) {
            if (side[m_arcs[a].to] || m_residual[a] < smallest) continue;
            side[m_arcs[a].to] = true;
            queue.push_back(m_arcs[a].to);
        }
    return side;
}

} // namespace railyard
