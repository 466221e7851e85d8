// The bound of a fabric that was regular and non-blocking before failures.
#pragma once

#include "core/bisection/bounds/degraded/regular_spread.h"
#include "core/bisection/problem/lower_bound.h"

#include <vector>

namespace railyard {

// 0 if it was not.
struct SpreadBound {
    LowerBound lower;
    std::vector<Bandwidth> loss; // by endpoint: its own loss and its share of the losses above; the half that lost most is a small cut
};
SpreadBound spreadBound(const RegularSpread& spread);

} // namespace railyard
