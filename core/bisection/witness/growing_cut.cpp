#include "core/bisection/witness/growing_cut.h"

namespace railyard {

double GrowingCut::work() const {
    const bool withHb = m_q.key == BisectionKey::GpuWithHb;
    return static_cast<double>((withHb ? m_q.graph.edges.size() + m_q.ends.attachments.size() : m_merged.withTwins) + 1);
}

void GrowingCut::start() {
    if (m_q.key == BisectionKey::GpuWithHb) {
        m_side.resize(m_q.ends.size());
        return;
    }
    constexpr std::uint32_t sides = 2;
    m_flow.emplace(sides + m_merged.count);
    std::vector<Port> ports(m_merged.count);
    std::vector<bool> isKnown(m_merged.count);
    m_ports.resize(m_q.ends.size());
    for (const auto& a : m_merged.attachments) {
        if (!isKnown[a.at]) ports[a.at] = {m_flow->addEdge(0, sides + a.at, {}), m_flow->addEdge(1, sides + a.at, {}), {}};
        isKnown[a.at] = true;
        m_ports[a.endpoint].push_back({ports[a.at].toA, ports[a.at].toB, a.capacity});
    }
    for (const auto& link : m_merged.links) m_flow->addEdge(sides + link.lower, sides + link.upper, link.capacity);
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
