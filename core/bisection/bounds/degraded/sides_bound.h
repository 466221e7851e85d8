// The bound of a fabric with failures from the sides that its top switches can take.
#pragma once

#include "core/bisection/bounds/degraded/regular_spread.h"
#include "core/bisection/problem/lower_bound.h"

namespace railyard {

// For two and three tiers in one network whose endpoints are alike; 0 if it does not apply.
LowerBound sidesBound(const RegularSpread& spread);

} // namespace railyard
