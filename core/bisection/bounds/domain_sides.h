// The bisection of GPUs with a fast HB fabric where all networks carry whatever the NICs send, but NICs or GPUs are missing.
#pragma once

#include "core/bisection/problem/bisection_problem.h"
#include "core/bisection/problem/lower_bound.h"

#include <optional>
#include <vector>

namespace railyard {

struct DomainSides {
    LowerBound lower;
    std::vector<bool> sideA; // a partition that meets the bound, if one does
};
// Empty if it does not apply, or if there are too many choices.
std::optional<DomainSides> domainSidesBound(const BisectionProblem& q);

} // namespace railyard
