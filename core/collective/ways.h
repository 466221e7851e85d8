// Every way a group can do an operation, timed.
#pragma once

#include "core/collective/tuning.h"

namespace railyard {

// By every algorithm and protocol that is possible. Reductions where every rank sends straight to every other are no choice of
// the libraries; they are here for whom asks for them.
std::vector<CollectiveTime> waysOf(const GroupLinks& links, CollectiveOp op, double bytes, const Estimate& estimate,
                                   bool withDirectReductions);

} // namespace railyard
