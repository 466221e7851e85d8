#include "core/sweep/notes.h"

#include "core/base/unit_text.h"
#include "core/design/recipes/recipe.h"
#include "core/sweep/compute.h"
#include "core/training/search.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace railyard {
namespace {

using Kind = Evaluation::Kind;

bool isOf(const std::string& key, std::string_view section) { return key.starts_with(section); }

// Whether the answer may follow from this option of a document. Other keys always count as read.
bool reads(const Evaluation& each, const std::string& key) {
    const bool isMetrics = each.kind == Kind::Metrics, isAll = isMetrics && each.key.empty();
    if (isOf(key, "training."))
        return isAll || each.kind == Kind::Train || each.kind == Kind::Search || each.kind == Kind::Reliability ||
               (isMetrics && (each.key == "training" || isOf(each.key, "training.")));
    if (isOf(key, "reliability.")) {
        const bool isAlwaysAMonth = key == "reliability.horizon"; // of the metrics
        return each.kind == Kind::Reliability || (isMetrics && !isAlwaysAMonth && (isAll || isOf(each.key, "failure")));
    }
    return true;
}

// Options of the section of its verb that this evaluation replaces by its own, and in which way.
struct Replaced {
    std::string_view how;
    std::vector<std::string> keys;
};
std::vector<Replaced> replacedBy(const Evaluation& each, const std::vector<std::string>& stated) {
    const std::string section = each.kind == Kind::Reliability                          ? "reliability."
                                : each.kind == Kind::Train || each.kind == Kind::Search ? "training."
                                                                                        : "";
    if (section.empty()) return {};
    const bool isOfModel = each.options.contains("model");
    Replaced own{isOfModel ? "starts from the default options because it states a model" : "states its own value", {}};
    Replaced searched{"chooses its own value", {}};
    for (const std::string& key : stated) {
        if (!isOf(key, section)) continue;
        const std::string option = key.substr(section.size());
        if (isOfModel || each.options.contains(option))
            own.keys.push_back(key);
        else if (each.kind == Kind::Search && std::find(searchedOptions.begin(), searchedOptions.end(), option) != searchedOptions.end())
            searched.keys.push_back(key);
    }
    std::vector<Replaced> all;
    for (Replaced* some : {&own, &searched})
        if (!some->keys.empty()) all.push_back(std::move(*some));
    return all;
}

// The reason, if of all points that are tried no design can be built.
std::optional<std::string> whyNoneCanBeBuilt(const SweepSpec& spec) {
    constexpr std::size_t most = 16;
    std::vector<std::int64_t> tried = trialPoints(spec.points());
    tried.resize(std::min(tried.size(), most));
    std::string first;
    for (const std::int64_t point : tried) {
        const auto design = designAt(spec, point);
        if (design) return {};
        if (first.empty()) first = design.error().text;
    }
    return fmt::format("{} can be built: {}",
                       tried.size() == static_cast<std::size_t>(spec.points())
                           ? std::string("no point")
                           : fmt::format("none of {} points that were tried", tried.size()),
                       first);
}

} // namespace

std::vector<std::string> notesOf(const SweepSpec& spec) {
    std::vector<std::string> notes;
    const RecipeInfo* base = findRecipe(spec.recipe);
    const auto isAxis = [&](std::string_view key) {
        return std::any_of(spec.axes.begin(), spec.axes.end(), [&](const SweepAxis& axis) { return axis.key == key; });
    };
    if (base && !base->settings.empty() && (isAxis("recipe") || spec.settings.contains("recipe")))
        notes.push_back(
            fmt::format("recipe replaces the base {} and all that it sets; state its parts under settings to keep them", spec.recipe));
    for (const SweepAxis& axis : spec.axes)
        if (spec.settings.contains(axis.key)) notes.push_back(fmt::format("the axis {} replaces the value under settings", axis.key));
    for (std::string& note : notesOnResults(spec)) notes.push_back(std::move(note));
    if (auto why = whyNoneCanBeBuilt(spec)) notes.push_back(std::move(*why));
    return notes;
}

std::vector<std::string> notesOnResults(const SweepSpec& spec) {
    std::vector<std::string> notes, stated;
    for (const SweepAxis& axis : spec.axes) {
        stated.push_back(axis.key);
        if (std::none_of(spec.evaluations.begin(), spec.evaluations.end(), [&](const Evaluation& each) { return reads(each, axis.key); }))
            notes.push_back(fmt::format("no result depends on {}", axis.key));
    }
    for (const auto& [key, value] : spec.settings)
        if (std::find(stated.begin(), stated.end(), key) == stated.end()) stated.push_back(key);
    for (const Evaluation& each : spec.evaluations)
        for (const Replaced& replaced : replacedBy(each, stated))
            notes.push_back(fmt::format("\"{}\" {}: it does not depend on {}", each.text, replaced.how, fmt::join(replaced.keys, ", ")));
    return notes;
}

std::string noteOf(const Design& design, const Catalog& catalog) {
    if (!design.recipe) return {};
    const auto settings = resolve(*design.recipe, catalog);
    if (!settings) return {};
    std::vector<std::string> others;
    const auto add = [&](const char* key, const char* tier, const Part* part, int radix, Bandwidth speed) {
        if (!design.recipe->parameters.contains(key) || !part || !part->as<SwitchPart>()) return;
        const int ports = part->as<SwitchPart>()->portsAt(speed);
        if (ports == 0)
            others.push_back(fmt::format("{} that have no {} ports", tier, formatBandwidth(speed)));
        else if (ports != radix)
            others.push_back(fmt::format("{} with {} ports", tier, ports));
    };
    add("radix", "leaves", settings->leafSwitch, settings->radix, settings->linkSpeed);
    add("spine_radix", "spines", settings->spineSwitch, settings->spineRadix, settings->uplinkSpeed);
    if (others.empty()) return {};
    return fmt::format("prices and power are those of {}", fmt::join(others, " and "));
}

} // namespace railyard
