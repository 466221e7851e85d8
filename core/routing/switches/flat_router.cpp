#include "core/routing/switches/flat_router.h"

#include <algorithm>
#include <functional>
#include <queue>

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
    sortUpwards(graph);
}

// Each switch after those whose links lead up to it; lower tiers and numbers first where that leaves a choice. Cables drawn by
// hand in a circle leave none: what is left then follows as it stands.
void FlatRouter::sortUpwards(const SwitchGraph& graph) {
    using Place = std::pair<SwitchTier, NodeId>;
    std::priority_queue<Place, std::vector<Place>, std::greater<>> ready;
    std::vector<std::size_t> below(m_down.size());
    for (NodeId v(0); v < below.size(); ++v)
        if ((below[v] = m_down[v].size()) == 0) ready.emplace(graph.tier[v], v);
    m_upwards.clear();
    std::vector<bool> isPlaced(below.size());
    while (!ready.empty()) {
        const auto v = ready.top().second;
        ready.pop();
        m_upwards.push_back(v);
        isPlaced[v] = true;
        for (const Arc& arc : m_up[v])
            if (--below[arc.node] == 0) ready.emplace(graph.tier[arc.node], arc.node);
    }
    for (NodeId v(0); v < below.size(); ++v)
        if (!isPlaced[v]) m_upwards.push_back(v);
}

void FlatRouter::aimAt(NodeId target) {
    std::fill(m_downOnly.begin(), m_downOnly.end(), unreachable);
    m_downOnly[target] = 0;
    for (const auto v : m_upwards)
        for (const Arc& arc : m_down[v]) m_downOnly[v] = std::min(m_downOnly[v], m_downOnly[arc.node] + 1);
    m_any = m_downOnly;
    for (auto it = m_upwards.rbegin(); it != m_upwards.rend(); ++it)
        for (const Arc& arc : m_up[*it]) m_any[*it] = std::min(m_any[*it], m_any[arc.node] + 1);
}

} // namespace railyard
