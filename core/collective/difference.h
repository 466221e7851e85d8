// The relative difference between the times of two groups. Uncertain constants have the same value for both (best or worst case
// of HB, network and latency constants), so the difference is more certain than either time.
#pragma once

#include "core/collective/collective.h"

namespace railyard {

struct TimeDifference {
    double likely = 0, low = 0, high = 0;                              // b / a - 1
    bool isSure() const { return low > 0 || high < 0 || low == high; } // the sign is certain
};
// Empty if one of the groups cannot run the operation, or if they use different libraries, whose times are not comparable.
std::optional<TimeDifference> timeDifference(const Communicator& a, const Communicator& b, CollectiveOp op, Bytes size);

} // namespace railyard
