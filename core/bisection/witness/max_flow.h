// Dinic's maximum flow in an undirected network, per direction.
#pragma once

#include "core/base/quantity.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace railyard {

class MaxFlow {
public:
    static constexpr Bandwidth unlimited = Bandwidth(std::numeric_limits<double>::infinity());

    explicit MaxFlow(std::uint32_t nodes) : m_nodes(nodes) {}
    // The same capacity in both directions, which may be changed between runs.
    std::uint32_t addEdge(std::uint32_t u, std::uint32_t v, Bandwidth capacity);
    void setCapacity(std::uint32_t edge, Bandwidth capacity) { m_edges[edge].capacity = capacity.value(); }
    // All of the flow, or what is found once it is `enough`.
    Bandwidth run(std::uint32_t source, std::uint32_t sink, Bandwidth enough = unlimited);

    // A network that grows: after start(), every augment() adds to the flow what raised capacities let through, and a state that was kept
    // can be returned to. All of the flow, or what is found once it is `enough`; augmentOnce() takes the shortest paths alone.
    struct State;
    void start();
    void raise(std::uint32_t edge, Bandwidth by);
    Bandwidth augment(std::uint32_t source, std::uint32_t sink, Bandwidth enough = unlimited);
    Bandwidth augmentOnce(std::uint32_t source, std::uint32_t sink);
    void keep(State& in) const;
    void returnTo(const State& state);

    // After run() of all of the flow: the nodes that are still reachable from the source, which are one side of the minimum cut.
    std::vector<bool> sourceSide() const;

private:
    void buildArcs();
    bool findLevels();
    double push(std::uint32_t node, double limit);

    struct Edge {
        std::uint32_t u, v;
        double capacity;       // bit/s, as all that follows
        std::uint32_t arc = 0; // from u to v
    };
    struct Arc {
        std::uint32_t to, reverse; // reverse: arc index
    };
    double m_flow = 0;
    std::uint32_t m_nodes, m_source = 0, m_sink = 0;
    std::vector<Edge> m_edges;
    std::vector<std::uint32_t> m_first, m_level, m_next, m_queue;
    std::vector<Arc> m_arcs;
    std::vector<double> m_residual; // by arc
};

struct MaxFlow::State {
    double flow = 0;              // bit/s
    std::vector<double> residual; // by arc
};

} // namespace railyard
