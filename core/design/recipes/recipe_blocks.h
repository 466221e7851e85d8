// A plan as blocks with wiring rules.
#pragma once

#include "core/design/recipes/recipe_plan.h"

#include <string>

namespace railyard {

Result<Design> build(const RecipeCall& call, const std::string& name, CatalogPointer catalog);
// The same design with other parameters; hand-drawn content and overrides are kept.
Result<Design> rebuild(const Design& design, const RecipeCall& call);

} // namespace railyard
