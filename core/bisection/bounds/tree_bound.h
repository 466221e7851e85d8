// The tree bound.
#pragma once

#include "core/bisection/problem/endpoints.h"
#include "core/bisection/problem/lower_bound.h"

namespace railyard {

// Tree bound: if the network above the leaves carries all hose traffic of the leaf uplinks, it acts as a single node, and the
// bisection of the remaining star is exact by a knapsack over the endpoints of each group. 0 if it does not apply.
LowerBound treeBound(const SwitchGraph& graph, const Endpoints& ends);

} // namespace railyard
