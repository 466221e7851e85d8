#include "core/routing/switches/bundle_links.h"

#include <algorithm>

namespace railyard {

void writeOverLinks(const Fabric& fabric, const SwitchGraph& graph, const NodeLoads& between, Division division, std::vector<double>& aToB,
                    std::vector<double>& bToA) {
    const LinkTable& links = fabric.links;
    const By<DeviceId, NodeId> nodeOf = nodesOfDevices(fabric, graph);
    std::size_t edge = 0;
    for (const LinkId l : links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const NodeId lower = nodeOf[links.a[l]], upper = nodeOf[links.b[l]];
        if (lower == none || upper == none) continue;
        const auto isIt = [&](std::size_t e) {
            return e < graph.edges.size() && graph.edges[e].lower == lower && graph.edges[e].upper == upper;
        };
        if (!isIt(edge) && !isIt(++edge)) {
            const auto run = graph.edgesAbove(lower);
            const auto found = std::lower_bound(run.begin(), run.end(), upper, [](const auto& e, NodeId v) { return e.upper < v; });
            edge = static_cast<std::size_t>(&*found - graph.edges.data());
        }
        const double part =
            division == Division::PerLink ? 1.0 / graph.edges[edge].links : fabric.speedOf(l).value() / graph.edges[edge].capacity.value();
        aToB[l] = between.up[edge] * part;
        bToA[l] = between.down[edge] * part;
    }
}

} // namespace railyard
