// All algorithms and protocols with which a group can run an operation, with their times.
#pragma once

#include "core/collective/tuning.h"

namespace railyard {

// The possible combinations of algorithm and protocol. Libraries never choose a reduction in which every rank sends to every
// other rank; it is included only on request.
std::vector<CollectiveTime> waysOf(const GroupLinks& links, CollectiveOp op, double bytes, const Estimate& estimate,
                                   bool withDirectReductions);

} // namespace railyard
