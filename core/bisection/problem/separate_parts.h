// Parts of a bisection question that nothing joins: planes that share no endpoint, rails without an HB fabric between them.
#pragma once

#include "core/bisection/problem/bisection_problem.h"

#include <optional>

namespace railyard {

// A balanced partition that keeps every part whole and so cuts nothing, the first parts by path on side A where they can be.
// Nothing where no parts make up a half, or there are too many to try.
std::optional<std::vector<bool>> partitionThatCutsNothing(const BisectionProblem& q);

} // namespace railyard
