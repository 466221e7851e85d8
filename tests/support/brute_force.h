// The exact bisection of small designs, to hold bounds against.
#pragma once

#include "core/bisection/problem/endpoints.h"
#include "core/bisection/witness/max_flow.h"

#include <bit>
#include <limits>

namespace railyard::test {

// Every balanced partition, each by max-flow: exact, for small designs.
inline double bruteForce(const Fabric& fabric, BisectionKey key) {
    const SwitchGraph graph = switchGraphOf(fabric);
    const Endpoints ends = endpointsOf(fabric, graph, key);
    const auto n = static_cast<unsigned>(ends.size());
    double best = std::numeric_limits<double>::infinity();
    for (std::uint32_t mask = 0; mask < (1U << n); ++mask) {
        if (static_cast<unsigned>(std::popcount(mask)) != n / 2) continue;
        MaxFlow flow(static_cast<std::uint32_t>(graph.device.size() + fabric.devices.size() + 2));
        const auto side = [&](std::uint32_t endpoint) { return (mask >> endpoint & 1) ? 0U : 1U; };
        for (const auto& edge : graph.edges) flow.addEdge(edge.lower + 2, edge.upper + 2, edge.capacity.value());
        const auto own = [&](DeviceId device) { return static_cast<std::uint32_t>(graph.device.size() + 2 + device); };
        const bool withHb = key == BisectionKey::GpuWithHb; // every GPU a node of its own, fed by its NIC ports' speed
        for (const auto& a : ends.attachments) flow.addEdge(withHb ? own(ends.gpu[a.endpoint]) : side(a.endpoint), a.node + 2, a.capacity);
        if (withHb) {
            for (std::uint32_t e = 0; e < ends.size(); ++e) flow.addEdge(side(e), own(ends.gpu[e]), ends.speed[e]);
            for (const LinkId l : fabric.links.ids())
                if (fabric.links.tier[l] == LinkTier::Hb)
                    flow.addEdge(own(fabric.links.a[l]), own(fabric.links.b[l]), fabric.speedOf(l).value());
        }
        best = std::min(best, flow.run(0, 1));
    }
    return best / 1e9;
}
} // namespace railyard::test
