#include "widgets/canvas/painter/cable_index.h"

#include <algorithm>

namespace railyard {

CableIndex::CableIndex(const Scene& scene, const Fabric& fabric)
    : m_ofDevice(fabric.devices.size(), none),
      m_first(scene.nodes.size() + 1) {
    std::vector<std::uint32_t> ofScope(fabric.scopes.size(), none);
    for (std::uint32_t n = 0; n < scene.nodes.size(); ++n)
        if (scene.nodes[n].device == none && scene.nodes[n].scope != none) ofScope[scene.nodes[n].scope] = n;
    for (std::size_t s = 0; s < ofScope.size(); ++s) // a scope precedes the scopes inside it
        if (ofScope[s] == none && fabric.scopes[s].parent != none) ofScope[s] = ofScope[fabric.scopes[s].parent];
    int nics = 0;
    for (const DeviceId d : fabric.devices.ids()) {
        m_ofDevice[d] = ofScope[fabric.devices.scope[d]];
        nics += fabric.devices.server[d] == 0 && fabric.devices.isNic(d) ? 1 : 0;
    }
    m_nics = std::max(1, nics);
    for (std::uint32_t n = 0; n < scene.nodes.size(); ++n)
        if (scene.nodes[n].device != none) m_ofDevice[scene.nodes[n].device] = n;
    const auto each = [&](const auto& use) {
        for (const LinkId l : fabric.links.ids()) {
            if (!fabric.isNetworkLink(l)) continue;
            const std::uint32_t low = m_ofDevice[fabric.links.a[l]], high = m_ofDevice[fabric.links.b[l]];
            if (low == high) continue; // both ends are inside one group, or both are hidden in a fold
            if (low != none) use(low, l);
            if (high != none) use(high, l);
        }
    };
    each([&](std::uint32_t node, std::uint32_t) { ++m_first[node + 1]; });
    for (std::size_t n = 1; n < m_first.size(); ++n) m_first[n] += m_first[n - 1];
    m_links.resize(m_first.back());
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
    each([&](std::uint32_t node, LinkId link) { m_links[next[node]++] = link; });
}

} // namespace railyard
