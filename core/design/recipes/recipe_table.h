// The recipes, their presets and their parameters.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace railyard {

struct RecipeParameter {
    std::string_view key;
    std::string_view label; // of a field and in errors of the window
    std::string_view type, unit, fallback, range, meaning;
};

enum class RecipeFamily { RailOptimized, RailOnly, FatTree };

struct RecipeInfo {
    std::string_view name;
    RecipeFamily family;
    std::string_view summary;
    std::vector<std::pair<std::string_view, std::string_view>> settings; // parameters set by a preset; each of them can be overridden
};

const std::vector<RecipeInfo>& recipes();
const RecipeInfo* findRecipe(std::string_view name);
std::span<const RecipeParameter> recipeParameters();

} // namespace railyard
