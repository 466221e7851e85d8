#include "app/cli/verbs/verb.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/catalog/price_book.h"
#include "core/design/recipes/recipe.h"
#include "core/io/document/design_json.h"
#include "core/json/json_text.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

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
    const auto lock = options.output == "-" ? Result<FileLock>(FileLock()) : FileLock::of(options.output);
    if (!lock) return report(lock.errors());
    if (const auto saved = saveDesign(*design, options.output); !saved) return report(saved.errors());
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

Run addNew(CLI::App& verb) {
    auto options = std::make_shared<NewOptions>();
    verb.add_option("RECIPE", options->recipe, "name of a recipe or preset")->required();
    verb.add_option("-o", options->output, "file to write; - for standard output")->required();
    verb.add_option("--set", options->sets, "set a recipe parameter: KEY=VALUE (repeatable)")->allow_extra_args(false);
    verb.add_option("--name", options->name, "name of the design; default: the file name");
    verb.add_flag("--json", options->json, "print JSON");
    return [=] { return makeNew(*options); };
}

} // namespace

const VerbInfo newVerb{"new", "create a design from a recipe", neverShowsPrices, addNew};

} // namespace railyard::cli
