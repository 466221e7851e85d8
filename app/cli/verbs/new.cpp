#include "app/cli/verbs/verb.h"
#include "core/analysis/metrics/metrics.h"
#include "core/analysis/option_sections.h"
#include "core/analysis/rules/design_rules.h"
#include "core/base/counted.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/catalog/price_book.h"
#include "core/design/recipes/recipe.h"
#include "core/fabric/elaborate.h"
#include "core/io/document/design_json.h"
#include "core/json/json_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace railyard::cli {
namespace {

// Down to up of one tier, in bandwidth: as the settings ask for it and as the links are drawn.
struct TierRatio {
    SwitchTier tier;
    double asked = 0, built = 0;
    std::string text(double ratio) const { return fmt::format("{:.4g}:1", ratio); }
    bool differs() const { return text(asked) != text(built); }
};

std::vector<TierRatio> ratiosOf(const RecipeSettings& settings, const ClosPlan& planned, const Fabric& fabric) {
    std::vector<TierRatio> ratios;
    const auto built = instantMetrics(fabric).oversubscription;
    for (int tier = 1; tier < planned.tiers; ++tier) {
        const Ratio leaf = settings.usedRatio(settings.leafDown, settings.leafUp);
        const double asked = tier == 1 ? settings.linkSpeed * leaf.down / (settings.uplinkSpeed * std::max(1, leaf.up))
                                       : static_cast<double>(settings.core.down) / settings.core.up;
        ratios.push_back({static_cast<SwitchTier>(tier), asked, built[static_cast<std::size_t>(tier)]});
    }
    return ratios;
}

std::string asOptions(const CheaperSetting& cheaper) {
    std::string text;
    for (const auto& [key, value] : cheaper.changes)
        text += value.empty() ? fmt::format(" (without {})", key) : fmt::format(" --set {}={}", key, value);
    return text;
}

void printMade(const std::string& file, const RecipeSettings& settings, const ClosPlan& planned, const std::vector<TierRatio>& ratios,
               const std::vector<CheaperSetting>& cheaper) {
    fmt::print("{}: {}, {} in {}, {}\n", file, counted(settings.gpus(), "{} GPU", "{} GPUs"),
               counted(planned.switches(), "{} switch", "{} switches"), counted(planned.tiers, "{} tier", "{} tiers"),
               counted(planned.links(), "{} link", "{} links"));
    for (const TierRatio& ratio : ratios)
        if (ratio.differs())
            fmt::print("Oversubscription of the {} tier: {} as built, {} as asked.\n", toText(ratio.tier), ratio.text(ratio.built),
                       ratio.text(ratio.asked));
    for (const CheaperSetting& each : cheaper) fmt::print("{} {} Settings:{}\n", each.text, each.hint, asOptions(each));
}

Json jsonOfMade(const std::string& file, const RecipeSettings& settings, const ClosPlan& planned, const std::vector<TierRatio>& ratios,
                const std::vector<CheaperSetting>& cheaper) {
    Json asked = Json::object(), built = Json::object(), fewer = Json::array();
    for (const TierRatio& ratio : ratios) {
        asked[std::string(toText(ratio.tier))] = ratio.asked;
        built[std::string(toText(ratio.tier))] = ratio.built;
    }
    for (const CheaperSetting& each : cheaper)
        fewer.push_back(
            {{"network", each.subject}, {"switches", each.switches}, {"settings", each.changes}, {"text", each.text + " " + each.hint}});
    return Json{{"schema", "railyard.new/1"},
                {"file", file},
                {"gpus", settings.gpus()},
                {"tiers", planned.tiers},
                {"switches", planned.switches()},
                {"links", planned.links()},
                {"oversubscription_asked_by_tier", asked},
                {"oversubscription_by_tier", built},
                {"fewer_switches", fewer}};
}

// A parameter of recipes is no option of its own: says how it is set.
Error unexpected(const std::vector<std::string>& arguments) {
    for (std::size_t a = 0; a < arguments.size(); ++a) {
        const std::string& option = arguments[a];
        if (!option.starts_with("--")) continue;
        const std::size_t equals = std::min(option.find('='), option.size());
        std::string key = option.substr(2, equals - 2);
        std::replace(key.begin(), key.end(), '-', '_');
        const auto isKey = [&](const ParameterInfo& parameter) { return parameter.key == key; };
        if (std::none_of(recipeParameters().begin(), recipeParameters().end(), isKey)) continue;
        const bool hasNext = a + 1 < arguments.size() && !arguments[a + 1].starts_with("-");
        const std::string value = equals < option.size() ? option.substr(equals + 1) : hasNext ? arguments[a + 1] : "VALUE";
        return Error::usage(fmt::format("{} is a recipe parameter; use --set {}={}", option.substr(0, equals), key, value));
    }
    return Error::usage(fmt::format("not expected: {}; `railyard-cli new --help` lists all options", fmt::join(arguments, " ")));
}

struct NewOptions {
    std::string recipe, output, name;
    std::vector<std::string> sets;
    bool json = false;
};

int makeNew(const NewOptions& options) {
    RecipeCall call{options.recipe, {}};
    std::vector<std::pair<std::string, std::string>> sectionOptions; // training.pp, bill.pue
    for (const std::string& set : options.sets) {
        const std::size_t equals = set.find('=');
        if (equals == std::string::npos || equals == 0) return report({Error::usage(fmt::format("--set {}: expected KEY=VALUE", set))});
        const std::string key = set.substr(0, equals), value = set.substr(equals + 1);
        if (const std::size_t dot = key.find('.'); dot != std::string::npos && optionSectionNamed(key.substr(0, dot)))
            sectionOptions.emplace_back(key, value);
        else
            call.parameters[key] = value;
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
    for (const auto& [key, value] : sectionOptions) {
        const std::size_t dot = key.find('.');
        const auto edit = setOption(*design, *optionSectionNamed(key.substr(0, dot)), key.substr(dot + 1), value);
        if (!edit) return report(edit.errors());
        design = *edit->design;
    }
    const auto lock = options.output == "-" ? Result<FileLock>(FileLock()) : FileLock::acquire(options.output);
    if (!lock) return report(lock.errors());
    if (const auto saved = saveDesign(*design, options.output); !saved) return report(saved.errors());
    if (options.output == "-") return 0;
    const auto settings = resolve(call, *shippedCatalog());
    const auto planned = plan(*settings);
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*design)));
    const std::vector<TierRatio> ratios = ratiosOf(*settings, *planned, *fabric);
    const std::vector<CheaperSetting> cheaper = cheaperSettings(*fabric);
    if (options.json)
        printJson(jsonText(jsonOfMade(options.output, *settings, *planned, ratios, cheaper)));
    else
        printMade(options.output, *settings, *planned, ratios, cheaper);
    return 0;
}

Run addNew(CLI::App& verb) {
    auto options = std::make_shared<NewOptions>();
    verb.add_option("RECIPE", options->recipe, "name of a recipe or preset")->required();
    verb.add_option("-o", options->output, "file to write; - for standard output")->required();
    verb.add_option("--set", options->sets, "set a recipe parameter, training.OPTION or bill.OPTION: KEY=VALUE (repeatable)")
        ->allow_extra_args(false);
    verb.add_option("--name", options->name, "name of the design; default: the file name");
    verb.add_flag("--json", options->json, "print JSON");
    verb.allow_extras();
    return [=, &verb] { return verb.remaining().empty() ? makeNew(*options) : report({unexpected(verb.remaining())}); };
}

} // namespace

const VerbInfo newVerb{"new", "create a design from a recipe", neverShowsPrices, addNew};

} // namespace railyard::cli
