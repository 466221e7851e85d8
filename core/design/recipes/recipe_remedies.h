// The remedy in an error of a recipe is a promise: set this value, and the fabric builds.
#pragma once

#include "core/base/error.h"
#include "core/design/recipes/recipe.h"

#include <vector>

namespace railyard {

// An error names the nearest value that its own rule allows. Where another setting rules that value out, this replaces it by the
// nearest one that builds, or says that none does. Of several errors the values are tried together.
std::vector<Error> withRemediesThatWork(const RecipeCall& call, const Catalog& catalog, std::vector<Error> errors);

} // namespace railyard
