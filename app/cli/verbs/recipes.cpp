#include "app/cli/verbs/verb.h"
#include "core/design/recipes/recipe_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

int listRecipes(const AnswerOptions& answer) {
    if (!answer.wantsText()) {
        Json list = Json::array();
        for (const RecipeInfo& recipe : recipes()) {
            Json settings = Json::object();
            for (const auto& [key, value] : recipe.settings) settings[std::string(key)] = value;
            list.push_back({{"name", recipe.name}, {"summary", recipe.summary}, {"settings", settings}});
        }
        return answer.give(Json{{"schema", "railyard.recipes/1"}, {"recipes", list}});
    }
    std::size_t widest = 0;
    for (const RecipeInfo& recipe : recipes()) widest = std::max(widest, recipe.name.size());
    for (const RecipeInfo& recipe : recipes()) fmt::print("{:<{}}  {}\n", recipe.name, widest, recipe.summary);
    return 0;
}

int showRecipe(const std::string& name, const AnswerOptions& answer) {
    const RecipeInfo* recipe = findRecipe(name);
    if (!recipe) return report({Error::usage(fmt::format("there is no recipe \"{}\"; `railyard-cli recipes` lists all recipes", name))});
    const auto setting = [&](std::string_view key) {
        const auto it = std::find_if(recipe->settings.begin(), recipe->settings.end(), [&](const auto& s) { return s.first == key; });
        return it == recipe->settings.end() ? std::string_view() : it->second;
    };
    const auto typeOf = [](const ParameterInfo& p) {
        return p.unit.empty() ? std::string(p.typeName()) : fmt::format("{}, {}", p.typeName(), p.unit);
    };
    std::size_t keys = 0, types = 0; // the widest
    for (const ParameterInfo& p : recipeParameters()) {
        keys = std::max(keys, p.key.size());
        types = std::max(types, typeOf(p).size());
    }
    Json list = Json::array();
    for (const ParameterInfo& p : recipeParameters()) {
        const std::string_view fallback = setting(p.key).empty() ? p.usual : setting(p.key);
        list.push_back({{"key", p.key},
                        {"type", p.typeName()},
                        {"unit", p.unit},
                        {"default", fallback},
                        {"range", p.rangeText()},
                        {"meaning", p.help}});
        if (!answer.wantsText()) continue;
        fmt::print("{:<{}}  {:<{}}  {}\n{:<{}}{}range: {}\n", p.key, keys, typeOf(p), types, p.help, "", keys + types + 4,
                   fallback.empty() ? "" : fmt::format("default: {}; ", fallback), p.rangeText());
    }
    return answer.give(Json{{"schema", "railyard.recipe/1"}, {"name", recipe->name}, {"summary", recipe->summary}, {"parameters", list}});
}

Run addRecipes(CLI::App& verb) {
    auto name = std::make_shared<std::string>();
    auto answer = std::make_shared<AnswerOptions>();
    verb.add_option("NAME", *name, "name of a recipe or preset");
    answer->addTo(verb);
    return [=] { return name->empty() ? listRecipes(*answer) : showRecipe(*name, *answer); };
}

} // namespace

const VerbInfo recipesVerb{"recipes", "list all recipes, or the parameters of one recipe", neverShowsPrices, addRecipes};

} // namespace railyard::cli
