// What a plan costs, before anything is elaborated: switches and modules by count and list price. Fibre cables are left out.
#pragma once

#include "core/design/recipes/recipe.h"

#include <optional>

namespace railyard {

// List prices that a plan is multiplied by. Unknown prices are empty.
struct PlanPrices {
    std::optional<Money> leafSwitch, spineSwitch;
    std::optional<double> hostModules, switchModules; // USD for both ends of one link: to a NIC, between two switches
    bool fibres = true;                               // false: the price of fibre is unknown
};
// Modules are priced by whole cages, from a small fabric of the same parts.
PlanPrices planPricesOf(const RecipeSettings& settings, const Catalog& catalog);

struct PlanCost {
    Money network;          // switches and modules
    bool isComplete = true; // false: a part has no price, so the sum is a lower bound
};
PlanCost costOf(const ClosPlan& plan, const PlanPrices& prices);

} // namespace railyard
