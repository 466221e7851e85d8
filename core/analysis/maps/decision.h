// Compares the best rail-optimized with the best rail-only fabric (core/analysis/sizing/best_fabric.h) over cluster size and HB-domain
// size: switches and network cost from recipe plans with exact counts, and the slowdown of an all-to-all by forwarding.
#pragma once

#include "core/analysis/maps/heat_grid.h"
#include "core/analysis/sizing/best_fabric.h"
#include "core/base/result.h"
#include "core/base/tasks.h"
#include "core/design/recipes/recipe.h"

namespace railyard {

struct DecisionCell {
    std::int64_t gpus = 0, hbDomainGpus = 0;
    std::optional<FabricChoice> railOptimized, railOnly; // the cheapest fabric of each kind that qualifies; empty if there is none
    std::string why;                                     // why one of them is empty
    std::optional<double> switchSaving, costSaving;      // relative to rail-optimized; negative if rail-only needs more
    std::optional<double> allToAllSlowdown;              // forwarding between rails: y(x - x/rails)C_S / (x(y-1)C_F)
};

struct DecisionMap {
    std::vector<std::int64_t> gpus, hbDomains; // x and y
    std::vector<DecisionCell> cells;           // row by row, y is the outer index
    const DecisionCell& at(std::size_t x, std::size_t y) const { return cells[y * gpus.size() + x]; }
};

// The base design's parts and speeds with another size and layout; what shapes its own size is dropped.
RecipeCall otherLayout(const RecipeCall& base, std::string recipe, std::int64_t gpus, std::int64_t hbDomainGpus);

DecisionCell decide(const RecipeCall& base, const Catalog& catalog, std::int64_t gpus, std::int64_t hbDomainGpus);
// Cells that a stop left out say so.
DecisionMap decisionMap(const RecipeCall& base, const Catalog& catalog, std::vector<std::int64_t> gpus, std::vector<std::int64_t> hbDomains,
                        const TaskContext& context = {});
struct DecisionAxes {
    std::vector<std::int64_t> gpus, hbDomains;
};
// Powers of two in the range of the published comparison: 256 ... 262,144 GPUs, domains of one server to 256 GPUs.
DecisionAxes usualDecisionAxes(const RecipeCall& base, const Catalog& catalog);
DecisionMap usualDecisionMap(const RecipeCall& base, const Catalog& catalog, const TaskContext& context = {});
// The best fabric of the other layout for the same GPUs: rail-only for rail-optimized, and the reverse.
Result<RecipeCall> twinOf(const RecipeCall& call, const Catalog& catalog);
// That fabric as a design, called "Rail-only twin" or "Rail-optimized twin", with the training job of this design. Errors: a design that is
// hand-drawn has none.
Result<Design> twinOf(const Design& design);
HeatGrid toGrid(const DecisionMap& map);
// The relative time that a collective takes longer in the rail-only design of a pair; `fabric` may be either of the two.
Result<HeatGrid> twinDifferenceGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers, const TaskContext& context = {});

} // namespace railyard
