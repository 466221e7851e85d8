// The largest fabric within a power or cost limit.
#pragma once

#include "core/base/result.h"
#include "core/design/recipes/recipe.h"

namespace railyard {

inline constexpr std::int64_t mostSizedGpus = 262'144;

enum class SizeLimit { FacilityPower, NetworkCost }; // W; USD of all networks of the design (networksTotal), priced lines only

// The largest number of servers (in whole HB domains) whose best fabric (best_fabric.h) does not exceed the limit, up to 262,144 GPUs.
// Assumes that the metric increases with size, but for a few domains; the next larger size exceeds the limit. Errors: a single domain
// exceeds the limit, or the metric is unknown for a part.
Result<int> largestWithin(const RecipeCall& call, const CatalogPointer& catalog, SizeLimit limit, double most);

} // namespace railyard
