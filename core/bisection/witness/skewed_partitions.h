// Balanced partitions that keep leaves together whose uplinks are concentrated on the same switches. Where uplinks do not divide evenly
// among the switches above, two halves that are concentrated on different switches share less capacity than any halves by path.
#pragma once

#include "core/bisection/witness/balanced_cut.h"

#include <vector>

namespace railyard {

// At most `most` partitions, those of the least estimated cut first; bounded work, none where no switch stands above a leaf.
std::vector<std::vector<bool>> skewedPartitions(const BisectionProblem& q, std::size_t most);

} // namespace railyard
