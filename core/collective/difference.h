// How much longer one group takes than another. What is uncertain is the same for both, so the difference is surer than either.
#pragma once

#include "core/collective/collective.h"

namespace railyard {

struct TimeDifference {
    double likely = 0, low = 0, high = 0; // b / a - 1, over every way the uncertain constants may turn out together
    bool isSure() const { return low > 0 || high < 0 || low == high; } // its sign
};
// Nothing where either cannot do it.
std::optional<TimeDifference> timeDifference(const CollectiveGroup& a, const CollectiveGroup& b, CollectiveOp op, Bytes size);

} // namespace railyard
