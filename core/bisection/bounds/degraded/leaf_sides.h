// A bound after failures where every endpoint has one leaf in each network, such as GPUs with a NIC of their own, or servers of rail-only.
#pragma once

#include "core/bisection/bounds/degraded/regular_spread.h"

namespace railyard {

// For three tiers; 0 where the fabric does not have the shape of the argument.
Bandwidth leafSidesBound(const RegularSpread& spread);

} // namespace railyard
