// Boost.Graph over the fabric: components and articulation points.
#pragma once

#include "core/fabric/switch_graph.h"

namespace railyard {

// The connected component of every device, over all links.
std::vector<std::uint32_t> connectedParts(const Fabric& fabric);
// Articulation points: switches (nodes) whose failure separates other switches that have NIC ports.
std::vector<NodeId> cutSwitches(const SwitchGraph& graph);

} // namespace railyard
