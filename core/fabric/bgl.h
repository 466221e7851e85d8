// Boost.Graph over the fabric: components and articulation points.
#pragma once

#include "core/fabric/switch_graph.h"

namespace railyard {

// The connected component of every device, over all links.
std::vector<std::uint32_t> connectedParts(const Fabric& fabric);
// Articulation points: switches (nodes) whose failure separates other switches that have NIC ports.
std::vector<NodeId> cutSwitches(const SwitchGraph& graph);

// Which single failures divide terminals (NICs, or HB domains whose NICs forward for each other) from one another, or from the network.
struct Separations {
    By<NodeId, bool> nodes;  // the switch
    std::vector<bool> edges; // by edge of the graph: its only link
};
// `terminals`: the nodes that each one is cabled to. Articulation points and bridges.
Separations separationsOf(const SwitchGraph& graph, const std::vector<std::vector<NodeId>>& terminals);

} // namespace railyard
