// The hose bound.
#pragma once

#include "core/bisection/problem/endpoints.h"
#include "core/bisection/problem/lower_bound.h"

#include <vector>

namespace railyard {

// Hose bound: if a routing carries all traffic that respects the endpoint speeds with a worst congestion of rho, then
// bisection >= half-injection / max(rho, 1).
LowerBound hoseBound(const Fabric& fabric, const SwitchGraph& graph, const Endpoints& ends, BisectionKey key);

// The worst congestion of ECMP with hose traffic over the links of `from` and the tiers above; infinite if it is irregular.
double hoseCongestion(const SwitchGraph& graph, const std::vector<Bandwidth>& injection, LinkTier from);

} // namespace railyard
