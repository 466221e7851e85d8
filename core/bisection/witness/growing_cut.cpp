#include "core/bisection/witness/growing_cut.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

namespace railyard {
namespace {

// Networks with the same links and endpoints, such as the rails of rail-only, are cut alike: the first counts for all. By network of the
// graph, how often it counts.
std::vector<std::uint32_t> timesOfNetworks(const BisectionProblem& q) {
    std::vector<std::uint32_t> times(q.graph.networks, 1), nodes(q.graph.networks);
    if (q.key == BisectionKey::GpuWithHb || q.graph.networks == 1) return times;
    By<NodeId, std::uint64_t> inNetwork(q.graph.device.size());
    for (const NodeId v : q.graph.nodes()) inNetwork[v] = nodes[q.graph.network[v]]++;
    using Piece = std::array<std::uint64_t, 3>; // an edge, or what attaches an endpoint
    std::vector<std::pair<std::vector<Piece>, std::vector<Piece>>> shapes(q.graph.networks);
    for (const auto& edge : q.graph.edges)
        shapes[q.graph.network[edge.lower]].first.push_back(
            {inNetwork[edge.lower], inNetwork[edge.upper], std::bit_cast<std::uint64_t>(edge.capacity.value())});
    for (const auto& a : q.ends.attachments)
        shapes[q.graph.network[a.node]].second.push_back({a.endpoint, inNetwork[a.node], std::bit_cast<std::uint64_t>(a.capacity.value())});
    std::map<std::pair<std::vector<Piece>, std::vector<Piece>>, std::size_t> known;
    for (std::size_t n = 0; n < shapes.size(); ++n) {
        std::sort(shapes[n].second.begin(), shapes[n].second.end());
        const auto [at, isNew] = known.try_emplace(std::move(shapes[n]), n);
        if (!isNew) times[n] = 0, ++times[at->second];
    }
    return times;
}

} // namespace

GrowingCut::GrowingCut(const BisectionProblem& q) : m_q(q), m_times(timesOfNetworks(q)) {}

double GrowingCut::work() const {
    const auto counts = [&](NodeId node) { return m_times[m_q.graph.network[node]] > 0; };
    const auto& edges = m_q.graph.edges;
    const auto& ends = m_q.ends.attachments;
    const auto links = std::count_if(edges.begin(), edges.end(), [&](const auto& edge) { return counts(edge.lower); });
    const auto attached = std::count_if(ends.begin(), ends.end(), [&](const auto& a) { return counts(a.node); });
    return static_cast<double>(links + attached + 1);
}

void GrowingCut::start() {
    if (m_q.key == BisectionKey::GpuWithHb) {
        m_side.resize(m_q.ends.size());
        return;
    }
    constexpr std::uint32_t sides = 2;
    const auto timesOf = [&](NodeId v) { return static_cast<double>(m_times[m_q.graph.network[v]]); };
    By<NodeId, std::uint32_t> nodeOf(m_q.graph.device.size());
    std::uint32_t nodes = sides;
    for (const NodeId v : m_q.graph.nodes()) nodeOf[v] = timesOf(v) > 0 ? nodes++ : none;
    m_flow.emplace(nodes);
    By<NodeId, Port> ports(nodeOf.size());
    std::vector<bool> isKnown(nodeOf.size());
    m_ports.resize(m_q.ends.size());
    for (const auto& a : m_q.ends.attachments) {
        if (nodeOf[a.node] == none) continue;
        if (!isKnown[a.node]) ports[a.node] = {m_flow->addEdge(0, nodeOf[a.node], {}), m_flow->addEdge(1, nodeOf[a.node], {}), {}};
        isKnown[a.node] = true;
        m_ports[a.endpoint].push_back({ports[a.node].toA, ports[a.node].toB, a.capacity * timesOf(a.node)});
    }
    for (const auto& edge : m_q.graph.edges)
        if (nodeOf[edge.lower] != none) m_flow->addEdge(nodeOf[edge.lower], nodeOf[edge.upper], edge.capacity * timesOf(edge.lower));
    m_flow->start();
}

void GrowingCut::place(std::uint32_t endpoint, std::size_t onA, std::size_t onB) {
    if (!m_flow) {
        m_side[endpoint] = onA > 0;
        return;
    }
    for (const Port& port : m_ports[endpoint]) {
        m_flow->raise(port.toA, port.capacity * static_cast<double>(onA));
        m_flow->raise(port.toB, port.capacity * static_cast<double>(onB));
    }
}

void GrowingCut::keep(State& in) const {
    if (m_flow) m_flow->keep(in.flow);
    in.side = m_side;
}

void GrowingCut::returnTo(const State& state) {
    if (m_flow) m_flow->returnTo(state.flow);
    m_side = state.side;
}

Bandwidth GrowingCut::value(Bandwidth enough) { return m_flow ? m_flow->augment(0, 1, enough) : CutNetwork(m_q).value(m_side); }

} // namespace railyard
