// The spread bound with traffic rerouted around failures.
#pragma once

#include "core/bisection/bounds/degraded/hb_bound.h"
#include "core/bisection/bounds/degraded/regular_spread.h"
#include "core/bisection/problem/lower_bound.h"

#include <optional>

namespace railyard {

// For two and three tiers; 0 if it does not apply, or if it cannot reach what is wanted. For all partitions into
// halves, or for all partitions with at most this imbalance.
LowerBound rerouteBound(const RegularSpread& spread, const std::optional<Imbalance>& imbalance = {}, Bandwidth wanted = {});

} // namespace railyard
