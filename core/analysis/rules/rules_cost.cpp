#include "core/analysis/rules/rule_check.h"
#include "core/analysis/sizing/best_fabric.h"
#include "core/base/unit_text.h"
#include "core/bisection/bisection.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

// The settings that turn a call into a cheaper one. An empty value takes the default; what a preset fixes has to be stated.
std::map<std::string, std::string> changesTo(const RecipeCall& now, const FabricChoice& cheaper) {
    std::map<std::string, std::string> changes;
    const RecipeInfo* preset = findRecipe(now.name);
    for (const std::string_view key : searchedParameters()) {
        const std::string name(key);
        const auto wanted = cheaper.call.parameters.find(name);
        const bool isFixed =
            preset && std::any_of(preset->settings.begin(), preset->settings.end(), [&](const auto& own) { return own.first == key; });
        if (wanted != cheaper.call.parameters.end())
            changes[name] = wanted->second;
        else if (isFixed)
            changes[name] = key == "su_servers"   ? std::to_string(cheaper.plan.suServers)
                            : key == "tiers"      ? "auto"
                            : key == "rails"      ? std::to_string(cheaper.settings.rails)
                            : key == "spine_rule" ? "even-split"
                            : key == "uplinks"    ? "full-su"
                            : key == "leaf_down"  ? std::to_string(cheaper.settings.leafDown)
                            : key == "leaf_up"    ? std::to_string(cheaper.settings.leafUp)
                                                  : "";
        else if (now.parameters.contains(name))
            changes[name] = "";
    }
    return changes;
}

struct BisectionChange {
    std::string words;
    bool isLoss = false;
};
BisectionChange bisectionChange(const Fabric& now, const Fabric& cheaper) {
    const Bisection before = bisection(now, BisectionKey::Server), after = bisection(cheaper, BisectionKey::Server);
    const std::string from = formatBandwidth(gigabitsPerSecond(before.upperGbps)), to = formatBandwidth(gigabitsPerSecond(after.upperGbps));
    const double lost = before.upperGbps > 0 ? 1 - after.upperGbps / before.upperGbps : 0;
    if (lost > 1e-9) return {fmt::format("Bisection falls from {} to {} (−{:.3g} %)", from, to, lost * 100), true};
    return {lost < -1e-9 ? fmt::format("Bisection rises from {} to {}", from, to) : fmt::format("Bisection stays at {}", to)};
}

std::string hintOf(const BisectionChange& change) { return change.words + ". Fewer ports may remain free for expansion."; }

RecipeCall changed(RecipeCall call, const std::map<std::string, std::string>& changes) {
    for (const auto& [key, value] : changes)
        value.empty() ? static_cast<void>(call.parameters.erase(key)) : static_cast<void>(call.parameters[key] = value);
    return call;
}

Result<ClosPlan> planOf(const RecipeCall& call, const Catalog& catalog) {
    const auto settings = resolve(call, catalog);
    return settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
}

// Says so where `call` needs fewer switches than the design. True where it does at no loss of bisection.
bool offerCheaper(const Fabric& fabric, const RecipeCall& call, std::int64_t now, std::string_view within,
                  std::vector<CheaperSetting>& found) {
    const Design& design = *fabric.design;
    const auto best = cheapestFabric(call, *design.catalog);
    if (!best || best->plan.switches() >= now) return false;
    auto changes = changesTo(*design.recipe, *best);
    if (const auto asked = call.parameters.find("oversubscription"); !(call == *design.recipe) && asked != call.parameters.end())
        changes["oversubscription"] = asked->second;
    const RecipeCall after = changed(*design.recipe, changes);
    auto cheaper = build(after, design.name, design.catalog);
    const auto planned = cheaper ? planOf(after, *design.catalog) : Result<ClosPlan>(cheaper.errors());
    if (!planned || planned->switches() >= now) return false; // something else that a preset fixes is in the way
    const FabricPointer other = elaborate(std::make_shared<const Design>(std::move(*cheaper)));
    const BisectionChange change = bisectionChange(fabric, *other);
    found.push_back({"recipe",
                     fmt::format("The fabric uses {} switches, but {} are sufficient for the same GPUs {} ({}).", formatCount(now),
                                 formatCount(planned->switches()), within, best->words),
                     hintOf(change), planned->switches(), std::move(changes)});
    return !change.isLoss;
}

FabricPointer fabricOf(const RecipeCall& call, const std::string& name, const CatalogPointer& catalog) {
    auto design = build(call, name, catalog);
    return design ? elaborate(std::make_shared<const Design>(std::move(*design))) : nullptr;
}

// The leaf ports of a network beside the fabric follow from its ratio: one that names the ports themselves gives just these.
void offerCheaperSide(const Design& design, const AuxiliaryNetwork& side, const std::string& ratioKey, std::vector<CheaperSetting>& found) {
    const auto now = planOf(side.call, *design.catalog);
    const auto best = now ? cheapestLeafPorts(side.call, *design.catalog) : std::nullopt;
    if (!best || best->plan.switches() >= now->switches()) return;
    const std::map<std::string, std::string> changes{{ratioKey, fmt::format("{}:{}", best->settings.leafDown, best->settings.leafUp)}};
    auto after = build(changed(*design.recipe, changes), design.name, design.catalog);
    if (!after) return;
    const auto same = std::find_if(after->networks.begin(), after->networks.end(),
                                   [&](const AuxiliaryNetwork& other) { return other.name == side.name; });
    const auto planned = same == after->networks.end() ? now : planOf(same->call, *design.catalog);
    if (!planned || planned->switches() >= now->switches()) return;
    const FabricPointer before = fabricOf(side.call, side.name, design.catalog), then = fabricOf(same->call, side.name, design.catalog);
    if (!before || !then) return;
    found.push_back({side.name,
                     fmt::format("The {} network uses {} switches, but {} are sufficient for the same ports with no more "
                                 "oversubscription ({}).",
                                 side.name, formatCount(now->switches()), formatCount(planned->switches()), best->words),
                     hintOf(bisectionChange(*before, *then)), planned->switches(), changes});
}

} // namespace

std::vector<CheaperSetting> cheaperSettings(const Fabric& fabric) {
    const Design& design = *fabric.design;
    std::vector<CheaperSetting> found;
    if (!design.recipe) return found;
    const auto settings = resolve(*design.recipe, *design.catalog);
    const auto now = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    if (!now) return found;
    const auto offerFabric = [&] {
        if (settings->railPods) return; // pods of one rail each are a structure of their own, not a setting of this one
        if (offerCheaper(fabric, *design.recipe, now->switches(), "with no more oversubscription", found)) return;
        if (askedOversubscription(*settings) <= 1 || now->tiers == 1) return;
        RecipeCall balanced = *design.recipe;
        for (const char* key : {"leaf_down", "leaf_up"}) balanced.parameters.erase(key);
        balanced.parameters["oversubscription"] = "1:1";
        offerCheaper(fabric, balanced, now->switches(), "without oversubscription", found);
    };
    offerFabric();
    for (const AuxiliaryNetwork& side : design.networks)
        for (const auto& [name, key] : {std::pair("storage", "storage_oversubscription"), std::pair("in-band", "in_band_oversubscription")})
            if (side.name == name) offerCheaperSide(design, side, key, found);
    return found;
}

// Looks at the recipe as it was called: what was drawn by hand or overridden is meant to be so.
void checkCost(RuleCheck& c) {
    const Design& design = *c.fabric.design;
    if (!design.overrides.empty() || !design.free->devices.empty() || !design.free->instances.empty()) return;
    for (CheaperSetting& cheaper : cheaperSettings(c.fabric)) {
        c.add("RY-C006", Severity::Note, std::move(cheaper.text), std::move(cheaper.subject), std::move(cheaper.hint));
        c.found.back().fix = "recipe";
        for (const auto& [key, value] : cheaper.changes) c.found.back().fix += fmt::format(" {}={}", key, value);
    }
}

} // namespace railyard
