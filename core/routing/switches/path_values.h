// The largest value along the paths of pairs of leaves.
#pragma once

#include "core/routing/switches/node_loads.h"
#include "core/routing/switches/stages.h"

namespace railyard {

// For every pair the largest value of a bundle on its paths, by direction; 0 if there is no path. `stages`: those of the graph.
std::vector<double> largestOnPaths(const SwitchGraph& graph, const Stages& stages, const std::vector<PairDemand>& pairs,
                                   const NodeLoads& values);

} // namespace railyard
