// Larger and smaller tiers.
#pragma once

#include "core/design/edits/edit_result.h"
#include "core/design/recipes/recipe_plan.h"

#include <vector>

namespace railyard {

// The higher spine counts with which every leaf can still split its uplinks evenly; [0] is used by a drop.
struct SpineRung {
    int spines = 0; // per pod
    int linksPerPair = 0;
};
std::vector<SpineRung> spineLadder(const Design& design);
std::vector<SpineRung> spineCounts(const Design& design); // including the present count and lower counts

// Changes a tier by `step` (negative: down): its switch part or its spines to the next possible value, or the number of
// servers (in whole HB domains), SUs or pods.
enum class TierStep { LeafPart, UpperPart, Spines, Servers, ScalableUnits, Pods };
int serversOfPod(const RecipeSettings& settings, const ClosPlan& now);
Result<Edit> stepTier(const Design& design, TierStep what, int step);

} // namespace railyard
