// The recipes, their presets and their parameters.
#pragma once

#include "core/base/parameter.h"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace railyard {

enum class RecipeFamily { RailOptimized, RailOnly, FatTree };

struct RecipeInfo {
    std::string_view name;
    RecipeFamily family;
    std::string_view summary;
    std::vector<std::pair<std::string_view, std::string_view>> settings; // parameters set by a preset; each of them can be overridden
};

const std::vector<RecipeInfo>& recipes();
const RecipeInfo* findRecipe(std::string_view name);
std::span<const ParameterInfo> recipeParameters();
const ParameterInfo* recipeParameter(std::string_view key); // null if there is none

} // namespace railyard
