// How large a fabric may be for a power or a budget.
#pragma once

#include "core/base/result.h"
#include "core/design/recipe.h"

namespace railyard {

enum class SizeLimit { FacilityPower, NetworkCost }; // W; USD, priced lines only

// The most servers (whole HB domains) of a recipe whose figure stays within a limit, up to 262,144 GPUs. The figure is taken
// to grow with size; between two sizes of which one is within and the next is not, the answer is exact. An error where one
// domain is too much already, or where a part's figure is unknown.
Result<int> largestWithin(const RecipeCall& call, const CatalogPointer& catalog, SizeLimit limit, double most);

} // namespace railyard
