// The largest value along the paths of pairs of leaves.
#pragma once

#include "core/routing/switches/node_loads.h"

namespace railyard {

// For every pair the largest value of a bundle on its paths, by direction; 0 if there is no path. Requires that stagesOf the
// graph is not empty.
std::vector<double> largestOnPaths(const SwitchGraph& graph, const std::vector<PairDemand>& pairs, const NodeLoads& values,
                                   Division division);

} // namespace railyard
