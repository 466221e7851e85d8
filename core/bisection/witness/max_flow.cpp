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
    for (Edge& edge : m_edges) {
        const std::uint32_t forward = at[edge.u]++, backward = at[edge.v]++;
        m_arcs[forward] = {edge.v, backward, edge.capacity};
        m_arcs[backward] = {edge.u, forward, edge.capacity};
        edge.arc = forward;
    }
}

void MaxFlow::start() {
    if (m_arcs.empty())
        buildArcs();
    else
        for (const Edge& edge : m_edges) m_arcs[edge.arc].residual = m_arcs[m_arcs[edge.arc].reverse].residual = edge.capacity;
    m_flow = 0;
}

void MaxFlow::raise(std::uint32_t edge, Bandwidth by) {
    Arc& arc = m_arcs[m_edges[edge].arc];
    arc.residual += by.value();
    m_arcs[arc.reverse].residual += by.value();
}

MaxFlow::State MaxFlow::state() const { return {m_flow, m_arcs}; }

void MaxFlow::returnTo(const State& state) {
    m_flow = state.flow;
    m_arcs = state.arcs;
}

bool MaxFlow::findLevels() {
    m_level.assign(m_nodes, unseen);
    m_queue.assign(1, m_source);
    m_level[m_source] = 0;
    for (std::size_t head = 0; head < m_queue.size(); ++head) {
        const std::uint32_t v = m_queue[head], level = m_level[v] + 1;
        for (std::uint32_t a = m_first[v]; a < m_first[v + 1]; ++a) {
            const Arc& arc = m_arcs[a];
            if (arc.residual < smallest || m_level[arc.to] != unseen) continue;
            m_level[arc.to] = level;
            if (arc.to == m_sink) return true;
            m_queue.push_back(arc.to);
        }
    }
    return false;
}

// Depth is the number of tiers on a path, so recursion is shallow.
double MaxFlow::push(std::uint32_t node, double limit) {
    if (node == m_sink) return limit;
    double pushed = 0;
    for (std::uint32_t& a = m_next[node]; a < m_first[node + 1]; ++a) {
        Arc& arc = m_arcs[a];
        if (arc.residual < smallest || m_level[arc.to] != m_level[node] + 1) continue;
        const double done = push(arc.to, std::min(limit - pushed, arc.residual));
        arc.residual -= done;
        m_arcs[arc.reverse].residual += done;
        pushed += done;
        if (limit - pushed < smallest) return pushed;
    }
    return pushed;
}

Bandwidth MaxFlow::run(std::uint32_t source, std::uint32_t sink) {
    start();
    return augment(source, sink);
}

Bandwidth MaxFlow::augment(std::uint32_t source, std::uint32_t sink) {
    m_source = source;
    m_sink = sink;
    while (findLevels()) {
        m_next.assign(m_first.begin(), m_first.end() - 1);
        m_flow += push(source, std::numeric_limits<double>::max());
    }
    return Bandwidth(m_flow);
}

std::vector<bool> MaxFlow::sourceSide() const {
    std::vector<bool> side(m_nodes);
    for (std::uint32_t v = 0; v < m_nodes; ++v) side[v] = m_level[v] != unseen;
    return side;
}

} // namespace railyard
