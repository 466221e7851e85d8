// What a plan costs, before anything is elaborated: switches, modules and fibre by count and list price.
#pragma once

#include "core/bill/unpriced.h"
#include "core/design/recipes/recipe.h"

#include <array>
#include <optional>

namespace railyard {

// List prices that a plan is multiplied by. Unknown prices are empty.
struct PlanPrices {
    std::optional<Money> leafSwitch, spineSwitch;
    std::optional<double> hostModules, leafModules,
        spineModules;                                       // USD for both ends of one link: of a NIC, up from a leaf, above the spines
    std::optional<double> hostFibre, leafFibre, spineFibre; // USD for the share of one link in its cable, at the default length

    std::array<std::optional<double>*, 3> modules() { return {&hostModules, &leafModules, &spineModules}; }
};
// Modules are priced by whole cages and fibre by whole cables, from a small fabric of the same parts.
PlanPrices planPricesOf(const RecipeSettings& settings, const Catalog& catalog);

struct PlanCost {
    Money network;     // switches, modules and fibre
    PartKinds leftOut; // parts without a price; if there are any, the sum is a lower bound
};
struct PlanCounts {
    std::int64_t leaves = 0, switchesAbove = 0;                // above: the leaves
    std::int64_t hostLinks = 0, leafLinks = 0, spineLinks = 0; // of NICs, up from leaves, between the tiers above
};
PlanCost costOf(const PlanCounts& counts, const PlanPrices& prices); // which grows with every count
PlanCost costOf(const ClosPlan& plan, const PlanPrices& prices);
// What `b` costs more than `a`. Empty where the sums leave out different kinds of parts (core/bill/unpriced.h).
std::optional<Money> differenceOf(const PlanCost& a, const PlanCost& b);

} // namespace railyard
