// Boost.Graph over the fabric: components and articulation points.
#pragma once

#include "core/fabric/switch_graph.h"

namespace railyard {

// Connected part of every device, over all links.
std::vector<std::uint32_t> connectedParts(const Fabric& fabric);
// Switches (nodes) whose loss separates others that carry NIC ports.
std::vector<std::uint32_t> cutSwitches(const SwitchGraph& graph);

} // namespace railyard
