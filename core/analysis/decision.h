// Rail-optimized or rail-only? Switches and network cost of both over cluster size and HB-domain size, from recipe
// plans (counts exact, nothing elaborated), and what forwarding costs an all-to-all.
#pragma once

#include "core/analysis/heat_grid.h"
#include "core/base/result.h"
#include "core/design/recipe.h"

namespace railyard {

struct DecisionSide {
    ClosPlan plan;
    Money network;          // switches and modules; fibres are left out
    bool isComplete = true; // false: some part has no price, the sum is "at least"
};

struct DecisionCell {
    std::int64_t gpus = 0, hbDomainGpus = 0;
    std::optional<DecisionSide> railOptimized, railOnly; // nothing where it cannot be built
    std::string why;
    std::optional<double> switchSaving, costSaving; // share of rail-optimized that rail-only saves; negative: it needs more
    std::optional<double> allToAllSlowdown;         // y(x-1)C_S / (x(y-1)C_F)
};

struct DecisionMap {
    std::vector<std::int64_t> gpus, hbDomains; // x and y
    std::vector<DecisionCell> cells;           // row by row, y outer
    const DecisionCell& at(std::size_t x, std::size_t y) const { return cells[y * gpus.size() + x]; }
};

DecisionCell decide(const RecipeCall& base, const Catalog& catalog, std::int64_t gpus, std::int64_t hbDomainGpus);
DecisionMap decisionMap(const RecipeCall& base, const Catalog& catalog, std::vector<std::int64_t> gpus,
                        std::vector<std::int64_t> hbDomains);
// Powers of two around the published staircase: 256 ... 262,144 GPUs, domains of one server to 256 GPUs.
DecisionMap usualDecisionMap(const RecipeCall& base, const Catalog& catalog);
// The other layout with equal GPUs: rail-only of rail-optimized and the reverse.
Result<RecipeCall> twinOf(const RecipeCall& call, const Catalog& catalog);
HeatGrid toGrid(const DecisionMap& map);
// By how much longer a collective takes in the rail-only one of a design and its twin, whichever of them this is.
Result<HeatGrid> twinDifferenceGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers);

} // namespace railyard
