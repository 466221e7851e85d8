#include "core/routing/flat_router.h"

#include <algorithm>
#include <numeric>

namespace railyard {

FlatRouter::FlatRouter(const SwitchGraph& graph)
    : m_up(graph.device.size()),
      m_down(graph.device.size()),
      m_upwards(graph.device.size()),
      m_downOnly(graph.device.size()),
      m_any(graph.device.size()) {
    for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
        m_up[graph.edges[e].lower].push_back({graph.edges[e].upper, e});
        m_down[graph.edges[e].upper].push_back({graph.edges[e].lower, e});
    }
    std::iota(m_upwards.begin(), m_upwards.end(), 0U);
    std::stable_sort(m_upwards.begin(), m_upwards.end(), [&](std::uint32_t a, std::uint32_t b) { return graph.tier[a] < graph.tier[b]; });
}

void FlatRouter::aimAt(std::uint32_t target) {
    std::fill(m_downOnly.begin(), m_downOnly.end(), unreachable);
    m_downOnly[target] = 0;
    for (const std::uint32_t v : m_upwards)
        for (const Arc& arc : m_down[v]) m_downOnly[v] = std::min(m_downOnly[v], m_downOnly[arc.node] + 1);
    m_any = m_downOnly;
    for (auto it = m_upwards.rbegin(); it != m_upwards.rend(); ++it)
        for (const Arc& arc : m_up[*it]) m_any[*it] = std::min(m_any[*it], m_any[arc.node] + 1);
}

} // namespace railyard
