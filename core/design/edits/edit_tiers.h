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
// The switch parts of the catalogue for the leaves or for the tiers above: first those of the protocol of the others, then the others,
// then those with which the fabric cannot be built; each from slow and small to fast and large.
struct PartChoice {
    const Part* part = nullptr; // of the design's catalogue
    bool isNow = false, isOtherProtocol = false;
    Result<Edit> edit;         // or why it cannot be built
    std::int64_t switches = 0; // more than now; 0 if it cannot be built
};
std::vector<PartChoice> partChoices(const Design& design, TierStep what); // LeafPart or UpperPart; empty without a recipe
std::string switchText(const Part& part);                                 // "Quantum-2 QM9700 (managed) · 64 × 400 Gb/s · InfiniBand"
int serversOfPod(const RecipeSettings& settings, const ClosPlan& now);
Result<Edit> stepTier(const Design& design, TierStep what, int step);

} // namespace railyard
