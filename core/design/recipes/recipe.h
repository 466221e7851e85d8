// Recipes: published fabric architectures, as parameters -> plan (counts) -> blocks.
// The counting rules are described in docs/recipes.md and reproduce the published tables of NVIDIA SuperPODs.
#pragma once

#include "core/design/recipes/recipe_auxiliary.h"
#include "core/design/recipes/recipe_blocks.h"
#include "core/design/recipes/recipe_plan.h"
#include "core/design/recipes/recipe_settings.h"
#include "core/design/recipes/recipe_table.h"
