// How much longer one group takes than another. What is uncertain turns out alike for both (HB, network, latencies, each well or
// badly), so the difference is surer than either.
#pragma once

#include "core/collective/collective.h"

namespace railyard {

struct TimeDifference {
    double likely = 0, low = 0, high = 0;                              // b / a - 1
    bool isSure() const { return low > 0 || high < 0 || low == high; } // its sign
};
// Nothing where either cannot do it, or where they have not the same library: then times are not of one kind.
std::optional<TimeDifference> timeDifference(const CollectiveGroup& a, const CollectiveGroup& b, CollectiveOp op, Bytes size);

} // namespace railyard
