#include "app/cli/commands.h"

#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/catalog/catalog_json.h"
#include "core/catalog/price_book.h"
#include "core/design/recipes/recipe.h"
#include "core/io/document/design_json.h"
#include "core/io/tables/csv.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
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
    if (!recipe) return report({Error::usage(fmt::format("there is no recipe \"{}\"; `railyard-cli recipes` lists all recipes", name))});
    const auto setting = [&](std::string_view key) {
        const auto it = std::find_if(recipe->settings.begin(), recipe->settings.end(), [&](const auto& s) { return s.first == key; });
        return it == recipe->settings.end() ? std::string_view() : it->second;
    };
    Json list = Json::array();
    for (const RecipeParameter& p : recipeParameters()) {
        const std::string_view fallback = setting(p.key).empty() ? p.fallback : setting(p.key);
        list.push_back(
            {{"key", p.key}, {"type", p.type}, {"unit", p.unit}, {"default", fallback}, {"range", p.range}, {"meaning", p.meaning}});
        if (!answer.wantsText()) continue;
        const std::string type = p.unit.empty() ? std::string(p.type) : fmt::format("{}, {}", p.type, p.unit);
        fmt::print("{:<26}{:<14}{}\n{:<40}{}range: {}\n", p.key, type, p.meaning, "",
                   fallback.empty() ? "" : fmt::format("default: {}; ", fallback), p.range);
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
        if (equals == std::string::npos || equals == 0) return report({Error::usage(fmt::format("--set {}: expected KEY=VALUE", set))});
        call.parameters[set.substr(0, equals)] = set.substr(equals + 1);
    }
    std::string name = options.name;
    if (name.empty()) {
        const std::size_t slash = options.output.rfind('/');
        name = slash == std::string::npos ? options.output : options.output.substr(slash + 1);
        if (const std::size_t dot = name.rfind(".railyard"); dot != std::string::npos) name.resize(dot);
        if (name == "-" || name.empty()) name = options.recipe;
    }
    auto design = build(call, name, pricedCatalog());
    if (!design) return report(design.errors());
    if (Status saved = saveDesign(*design, options.output); !saved) return report(saved.errors());
    if (options.output == "-") return 0;
    const auto settings = resolve(call, *shippedCatalog());
    const auto planned = plan(*settings);
    if (options.json)
        printJson(jsonText(
            Json{{"file", options.output}, {"gpus", settings->gpus()}, {"switches", planned->switches()}, {"links", planned->links()}}));
    else
        fmt::print("{}: {} GPUs, {} switch{} in {} tier{}, {} links\n", options.output, formatCount(settings->gpus()),
                   formatCount(planned->switches()), planned->switches() == 1 ? "" : "es", planned->tiers, planned->tiers == 1 ? "" : "s",
                   formatCount(planned->links()));
    return 0;
}

std::string priceText(const Part& part) {
    if (!part.price || !part.price->base) return "–";
    return formatCount(part.price->base->inCents() / 100);
}

// As shipped, with the user's own price beside it.
Json partJson(const Part& part) {
    Json json = Json::parse(part.original);
    if (!part.shippedPrice) return json;
    const auto dollars = [](const std::optional<Money>& money) { return money ? Json(money->inDollars()) : Json(); };
    json["own_price"] = {
        {"low_usd", dollars(part.price->low)}, {"base_usd", dollars(part.price->base)}, {"high_usd", dollars(part.price->high)}};
    for (const auto& [length, money] : part.price->byLength)
        json["own_price"]["by_length"].push_back({{"length_m", length.value()}, {"base_usd", money.inDollars()}});
    json["own_price"]["date"] = part.price->date;
    json["own_price"]["source"] = part.price->source;
    return json;
}

int catalogList(const std::string& kind, const AnswerOptions& answer) {
    static constexpr std::string_view kinds[] = {"gpu", "server", "nic", "switch", "optic", "cable", "rack", "service"};
    if (!kind.empty() && std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds))
        return report({Error::usage(fmt::format("--kind {}: must be one of gpu, server, nic, switch, optic, cable, rack, service", kind))});
    Json list = Json::array();
    const CatalogPointer catalog = pricedCatalog(); // a range-for would not keep it
    for (const auto& [id, part] : catalog->parts()) {
        if (!kind.empty() && part.kind() != kind) continue;
        list.push_back(partJson(part));
        if (answer.wantsText())
            fmt::print("{:<30}{:<8}{:<48}{:>12} {}\n", id, part.kind(), part.name.substr(0, 47), priceText(part),
                       part.price ? part.price->date : "");
    }
    return answer.give(Json{{"as_of", shippedCatalog()->asOf()}, {"parts", list}});
}

int catalogShow(const std::string& id, const AnswerOptions& answer) {
    const CatalogPointer catalog = pricedCatalog();
    const Part* part = catalog->find(id);
    if (!part) {
        std::string nearest;
        for (const std::string& name : shippedCatalog()->nearest(id, "")) nearest += (nearest.empty() ? "" : ", ") + name;
        return report({Error::usage(fmt::format("there is no part \"{}\"; similar: {}", id, nearest))});
    }
    if (answer.wantsText()) {
        fmt::print("{}", shownPart(*part));
        if (part->shippedPrice) fmt::print("{:<22}{} ({}), {}\n", "price book", priceText(*part), part->price->date, part->price->source);
    }
    return answer.give(partJson(*part));
}

// Prices of `file` join the user's book. Ids that the catalogue does not have are kept and named: some may be mistyped.
int importPrices(const std::string& file, const AnswerOptions& answer) {
    constexpr std::size_t mostNamed = 20;
    auto text = readFile(file);
    if (!text) return report(text.errors());
    auto fresh = PriceBook::read(std::move(*text), file);
    if (!fresh) return report(fresh.errors());
    const auto done = railyard::importPrices(*fresh);
    if (!done) return report(done.errors());
    Json unknown = Json::array();
    for (const BookedPrice& price : fresh->prices())
        if (!shippedCatalog()->find(price.id)) unknown.push_back(price.id);
    for (std::size_t i = 0; i < std::min(unknown.size(), mostNamed); ++i)
        fmt::print(stderr, "railyard-cli: note: the catalogue has no part \"{}\"; its price was imported anyway; similar: {}\n",
                   unknown[i].get<std::string>(), fmt::join(shippedCatalog()->nearest(unknown[i].get<std::string>(), ""), ", "));
    if (unknown.size() > mostNamed)
        fmt::print(stderr, "railyard-cli: note: {} more parts are not in the catalogue\n", unknown.size() - mostNamed);
    const auto prices = [](std::size_t n) {
        return fmt::format("{} price{}", formatCount(static_cast<std::int64_t>(n)), n == 1 ? "" : "s");
    };
    if (answer.wantsText())
        fmt::print("{} imported ({} already in the price book replaced). The price book now has {}: {}\n", prices(fresh->prices().size()),
                   formatCount(static_cast<std::int64_t>(done->replaced)), prices(done->prices), done->path);
    return answer.give(Json{{"imported", fresh->prices().size()},
                            {"replaced", done->replaced},
                            {"prices", done->prices},
                            {"unknown_parts", unknown},
                            {"book", done->path}});
}

} // namespace

void addDesignCommands(CLI::App& app, Run& run) {
    auto* verb = app.add_subcommand("recipes", "list all recipes, or the parameters of one recipe");
    auto name = std::make_shared<std::string>();
    auto answer = std::make_shared<AnswerOptions>();
    verb->add_option("NAME", *name, "name of a recipe or preset");
    answer->addTo(*verb);
    verb->callback([=, &run] { run = [=] { return name->empty() ? listRecipes(*answer) : showRecipe(*name, *answer); }; });

    verb = app.add_subcommand("new", "create a design from a recipe");
    auto options = std::make_shared<NewOptions>();
    verb->add_option("RECIPE", options->recipe, "name of a recipe or preset")->required();
    verb->add_option("-o", options->output, "file to write; - for standard output")->required();
    verb->add_option("--set", options->sets, "set a recipe parameter: KEY=VALUE (repeatable)")->allow_extra_args(false);
    verb->add_option("--name", options->name, "name of the design; default: the file name");
    verb->add_flag("--json", options->json, "print JSON");
    verb->callback([=, &run] { run = [=] { return makeNew(*options); }; });

    auto* catalog = app.add_subcommand("catalog", "show parts and prices with source and date, or import prices");
    catalog->require_subcommand(1);
    auto kind = std::make_shared<std::string>(), id = std::make_shared<std::string>();
    verb = catalog->add_subcommand("list", "list all parts, or the parts of one kind");
    verb->add_option("--kind", *kind, "kind of part: gpu, server, nic, switch, optic, cable, rack or service");
    answer->addTo(*verb);
    verb->callback([=, &run] { run = [=] { return catalogList(*kind, *answer); }; });
    verb = catalog->add_subcommand("show", "show a part with its sources");
    verb->add_option("ID", *id, "part ID")->required();
    answer->addTo(*verb);
    verb->callback([=, &run] { run = [=] { return catalogShow(*id, *answer); }; });

    auto prices = std::make_shared<std::string>();
    verb = catalog->add_subcommand("import", "import prices from a CSV file into your price book");
    verb->add_option("CSV", *prices,
                     "file with the columns id, length_m, low_usd, base_usd, high_usd, date, source; id and base_usd are required")
        ->required();
    answer->addTo(*verb);
    verb->callback([=, &run] { run = [=] { return importPrices(*prices, *answer); }; });

    verb = app.add_subcommand("version", "show the version, the build and the document format");
    answer->addTo(*verb);
    verb->callback([=, &run] {
        run = [=] {
            if (!answer->wantsText())
                return answer->give(Json{{"version", RAILYARD_VERSION},
                                         {"build", RAILYARD_BUILD},
                                         {"format", documentFormat},
                                         {"catalogue", shippedCatalog()->asOf()}});
            fmt::print("railyard {} ({}), document format {}, catalogue date {}\n", RAILYARD_VERSION, RAILYARD_BUILD, documentFormat,
                       shippedCatalog()->asOf());
            return 0;
        };
    });
}

} // namespace railyard::cli
