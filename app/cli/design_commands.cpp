#include "app/cli/commands.h"

#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/catalog/catalog_json.h"
#include "core/design/recipe.h"
#include "core/io/csv.h"
#include "core/io/design_json.h"
#include "core/json/json_text.h"

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
        return answer.give(Json{{"recipes", list}});
    }
    for (const RecipeInfo& recipe : recipes()) fmt::print("{:<20}{}\n", recipe.name, recipe.summary);
    return 0;
}

int showRecipe(const std::string& name, const AnswerOptions& answer) {
    const RecipeInfo* recipe = findRecipe(name);
    if (!recipe) return report({Error::usage(fmt::format("no recipe is called \"{}\"; `recipes` lists them", name))});
    const auto setting = [&](std::string_view key) {
        const auto it = std::find_if(recipe->settings.begin(), recipe->settings.end(), [&](const auto& s) { return s.first == key; });
        return it == recipe->settings.end() ? std::string_view() : it->second;
    };
    Json list = Json::array();
    for (const RecipeParameter& p : recipeParameters()) {
        const std::string_view fallback = setting(p.key).empty() ? p.fallback : setting(p.key);
        list.push_back(
            {{"key", p.key}, {"type", p.type}, {"unit", p.unit}, {"default", fallback}, {"range", p.range}, {"meaning", p.meaning}});
        if (answer.wantsText())
            fmt::print("{:<22}{:<9}{:<6}{:<34}{}\n{:<22}  {}\n", p.key, p.type, p.unit, fallback, p.range, "", p.meaning);
    }
    return answer.give(Json{{"name", recipe->name}, {"summary", recipe->summary}, {"parameters", list}});
}

struct NewOptions {
    std::string recipe, output, name;
    std::vector<std::string> sets;
    bool json = false;
};

int makeNew(const NewOptions& options) {
    RecipeCall call{options.recipe, {}};
    for (const std::string& set : options.sets) {
        const std::size_t equals = set.find('=');
        if (equals == std::string::npos || equals == 0) return report({Error::usage(fmt::format("--set {}: write it as key=value", set))});
        call.parameters[set.substr(0, equals)] = set.substr(equals + 1);
    }
    std::string name = options.name;
    if (name.empty()) {
        const std::size_t slash = options.output.rfind('/');
        name = slash == std::string::npos ? options.output : options.output.substr(slash + 1);
        if (const std::size_t dot = name.rfind(".railyard"); dot != std::string::npos) name.resize(dot);
        if (name == "-" || name.empty()) name = options.recipe;
    }
    auto design = build(call, name, shippedCatalog());
    if (!design) return report(design.errors());
    if (Status saved = saveDesign(*design, options.output); !saved) return report(saved.errors());
    if (options.output == "-") return 0;
    const auto settings = resolve(call, *shippedCatalog());
    const auto planned = plan(*settings);
    if (options.json)
        printJson(
            Json{{"file", options.output}, {"gpus", settings->gpus()}, {"switches", planned->switches()}, {"links", planned->links()}}.dump(
                2));
    else
        fmt::print("{}: {} GPUs, {} switches in {} tiers, {} links\n", options.output, formatCount(settings->gpus()),
                   formatCount(planned->switches()), planned->tiers, formatCount(planned->links()));
    return 0;
}

std::string priceText(const Part& part) {
    if (!part.price || !part.price->base) return "–";
    return formatCount(part.price->base->inCents() / 100);
}

int catalogList(const std::string& kind, const AnswerOptions& answer) {
    static constexpr std::string_view kinds[] = {"gpu", "server", "nic", "switch", "optic", "cable"};
    if (!kind.empty() && std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds))
        return report({Error::usage(fmt::format("--kind {}: one of gpu, server, nic, switch, optic, cable", kind))});
    Json list = Json::array();
    for (const auto& [id, part] : shippedCatalog()->parts()) {
        if (!kind.empty() && part.kind() != kind) continue;
        list.push_back(Json::parse(part.original));
        if (answer.wantsText())
            fmt::print("{:<30}{:<8}{:<48}{:>12} {}\n", id, part.kind(), part.name.substr(0, 47), priceText(part),
                       part.price ? part.price->date : "");
    }
    return answer.give(Json{{"as_of", shippedCatalog()->asOf()}, {"parts", list}});
}

int catalogShow(const std::string& id, const AnswerOptions& answer) {
    const Part* part = shippedCatalog()->find(id);
    if (!part) {
        std::string nearest;
        for (const std::string& name : shippedCatalog()->nearest(id, "")) nearest += (nearest.empty() ? "" : ", ") + name;
        return report({Error::usage(fmt::format("no part is called \"{}\"; nearest: {}", id, nearest))});
    }
    if (answer.wantsText()) fmt::print("{}", shownPart(*part));
    return answer.give(Json::parse(part->original));
}

} // namespace

void addDesignCommands(CLI::App& app, Run& run) {
    auto* verb = app.add_subcommand("recipes", "list recipes, or the parameters of one");
    auto name = std::make_shared<std::string>();
    auto answer = std::make_shared<AnswerOptions>();
    verb->add_option("NAME", *name, "a recipe");
    answer->addTo(*verb);
    verb->callback([=, &run] { run = [=] { return name->empty() ? listRecipes(*answer) : showRecipe(*name, *answer); }; });

    verb = app.add_subcommand("new", "write a design from a recipe");
    auto options = std::make_shared<NewOptions>();
    verb->add_option("RECIPE", options->recipe, "name of a recipe or preset")->required();
    verb->add_option("-o", options->output, "the design to write; - is standard output")->required();
    verb->add_option("--set", options->sets, "key=value (repeatable)")->allow_extra_args(false);
    verb->add_option("--name", options->name, "name of the design");
    verb->add_flag("--json", options->json, "print JSON");
    verb->callback([=, &run] { run = [=] { return makeNew(*options); }; });

    auto* catalog = app.add_subcommand("catalog", "parts, prices with source and date");
    catalog->require_subcommand(1);
    auto kind = std::make_shared<std::string>(), id = std::make_shared<std::string>();
    verb = catalog->add_subcommand("list", "all parts, or those of a kind");
    verb->add_option("--kind", *kind, "gpu, server, nic, switch, optic, cable");
    answer->addTo(*verb);
    verb->callback([=, &run] { run = [=] { return catalogList(*kind, *answer); }; });
    verb = catalog->add_subcommand("show", "one part with its sources");
    verb->add_option("ID", *id, "catalogue id")->required();
    answer->addTo(*verb);
    verb->callback([=, &run] { run = [=] { return catalogShow(*id, *answer); }; });

    verb = app.add_subcommand("version", "version, build, format number");
    answer->addTo(*verb);
    verb->callback([=, &run] {
        run = [=] {
            if (!answer->wantsText())
                return answer->give(Json{{"version", RAILYARD_VERSION},
                                         {"build", RAILYARD_BUILD},
                                         {"format", documentFormat},
                                         {"catalogue", shippedCatalog()->asOf()}});
            fmt::print("railyard {} ({}), document format {}, catalogue of {}\n", RAILYARD_VERSION, RAILYARD_BUILD, documentFormat,
                       shippedCatalog()->asOf());
            return 0;
        };
    });
}

} // namespace railyard::cli
