// Storage, in-band and out-of-band networks as recipes of their own.
#pragma once

#include "core/design/recipes/recipe_plan.h"

#include <vector>

namespace railyard {

// The recipe call of such a network for this number of hosts, with at least two tiers if a host has several ports, so that its
// ports are connected to different leaves.
RecipeCall callFor(const AuxiliaryNetwork& side, int hosts, const Catalog& catalog);
// The auxiliary networks that the settings request.
std::vector<AuxiliaryNetwork> auxiliaryNetworksOf(const RecipeSettings& settings, const ClosPlan& plan, const Catalog& catalog);

} // namespace railyard
