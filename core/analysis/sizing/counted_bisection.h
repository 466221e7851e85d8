// Whether a plan keeps its bisection, from counts, before anything is elaborated. The proofs are those of
// core/bisection/bounds/hose_bound.h and its bound of the regular part, which need only how many links lie between two switches; by
// symmetry that is known for one switch of each kind. Takes microseconds where elaborating and bisecting take up to 100 ms.
#pragma once

#include "core/design/recipes/recipe.h"

namespace railyard {

// Whether the bisection of `server` is at least half the injection bandwidth divided by `asked`, a ratio of at least 1.
enum class CountedVerdict {
    Proved,
    Refuted,     // a cut with less exists
    Open,        // counts alone say neither
    NotDescribed // by counts: fat trees, fabric managers, pods of one rail, a stated number of spines, planes or rails that are not alike
};
CountedVerdict verdictByCounting(const RecipeSettings& settings, const ClosPlan& plan, double asked);
// Whether a cut with less exists among those that put SUs with many links to the same spines on one side. Two tiers only. Takes longer, up
// to a millisecond, but less than elaborating.
bool isRefutedAtSpines(const RecipeSettings& settings, const ClosPlan& plan, double asked);

} // namespace railyard
