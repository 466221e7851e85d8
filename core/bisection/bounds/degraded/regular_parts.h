// Regular fabrics inside and around an irregular one, whose bounds hold for it.
#pragma once

#include "core/bisection/problem/bisection_problem.h"

#include <optional>

namespace railyard {

// True if every group connects one tier, from the leaves on, with the next tier.
bool isInTiers(const SwitchGraph& graph);

// The regular fabric inside an irregular one: every pair of a group gets the capacity of its weakest pair. The irregular fabric
// has at least the bound of this one. Empty if a pair of a group has no link.
std::optional<BisectionProblem> regularCore(const BisectionProblem& q);
// The regular fabric around an irregular one: every pair of a group gets the capacity that most pairs have. Its bound minus
// the missing capacity is a bound for q; additional capacity of q can only increase it. Empty if nothing or too much is
// missing.
struct RegularHull {
    BisectionProblem problem; // without edges: its groups are sufficient
    Bandwidth missing;
};
std::optional<RegularHull> regularHull(const BisectionProblem& q);

} // namespace railyard
