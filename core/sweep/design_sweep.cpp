#include "core/sweep/design_sweep.h"

#include "core/analysis/option_sections.h"
#include "core/base/whole_number.h"
#include "core/design/recipes/recipe.h"
#include "core/io/document/design_json.h"
#include "core/json/json_text.h"
#include "core/sweep/axis_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace railyard {
namespace {

// Without what makes no fabric.
std::string fabricText(Design design) {
    design.name.clear();
    design.approvals.clear();
    design.views.clear();
    design.targets.clear();
    design.callouts.clear();
    for (const OptionSection& section : optionSections()) (design.*section.options).reset();
    // Earlier versions stated another number where it makes no difference; nobody edits it.
    for (auto& [name, block] : design.blocks) {
        Block plain = *block;
        for (WiringRule& rule : plain.wiring) rule.serversPerLeaf = 0;
        block = std::make_shared<const Block>(std::move(plain));
    }
    return designText(design);
}

bool isAsItsRecipe(const Design& design) {
    if (!design.recipe) return false;
    const auto built = build(*design.recipe, design.name, design.catalog);
    return built && fabricText(*built) == fabricText(design);
}

bool isPreset(const std::string& recipe) {
    const RecipeInfo* info = findRecipe(recipe);
    return info && !info->settings.empty();
}

Json numberOrText(const std::string& text) {
    double value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return text;
    const auto whole = wholeNumber(value);
    return whole ? Json(*whole) : Json(value);
}

} // namespace

Result<SweepSpec> sweepOf(const DesignPointer& design, const std::vector<AskedAxis>& axes, const std::vector<std::string>& evaluate) {
    if (axes.empty()) return Error::usage("Write values for at least one parameter.");
    if (evaluate.empty()) return Error::usage("Choose at least one result.");
    const bool isRecipe = isAsItsRecipe(*design);
    Json json{{"base", isRecipe ? design->recipe->name : "rail-optimized"}};
    if (isRecipe) {
        const auto byRecipe = std::find_if(axes.begin(), axes.end(), [](const AskedAxis& axis) { return axis.key == "recipe"; });
        json["settings"] = design->recipe->parameters;
        if (byRecipe != axes.end()) {
            const auto values = axisValues(byRecipe->values);
            if (!values) return values.errors();
            const auto presets = std::count_if(values->begin(), values->end(), isPreset);
            if (presets > 0 && presets < static_cast<std::ptrdiff_t>(values->size()))
                return Error::usage(
                    "The recipes mix layouts such as rail-only, which keep the parts of this design, with presets, which bring their own. "
                    "Sweep them separately.");
            if (presets == 0) json["settings"] = inFull(*design->recipe).parameters;
        }
        for (const OptionSection& section : optionSections())
            if (const auto& own = (*design).*section.options)
                for (const auto& [key, value] : own->options) json["settings"][std::string(section.key) + "." + key] = value;
    }
    json["axes"] = Json::object();
    for (const AskedAxis& axis : axes) {
        const auto values = axisValues(axis.values);
        if (!values) return values.errors();
        if (!isRecipe && axis.key == "recipe")
            return Error::usage("The design was edited by hand and cannot be built by another recipe; choose another parameter.");
        if (json["axes"].contains(axis.key)) return Error::usage(axis.key + ": is an axis already");
        for (const std::string& value : *values) json["axes"][axis.key].push_back(numberOrText(value));
        // Either of them states the size.
        for (const auto& [key, other] : {std::pair("gpus", "servers"), std::pair("servers", "gpus")})
            if (axis.key == key && isRecipe) json["settings"].erase(other);
    }
    json["evaluate"] = evaluate;
    auto spec = readSweepSpec(jsonText(json), "sweep");
    if (spec && !isRecipe) {
        spec->recipe.clear();
        spec->design = design;
    }
    return spec;
}

} // namespace railyard
