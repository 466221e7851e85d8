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

// Says so where `call` needs fewer switches than the design. True where it does at no loss of bisection.
bool offerCheaper(RuleCheck& c, const RecipeCall& call, std::int64_t now, std::string_view within) {
    const Design& design = *c.fabric.design;
    const auto best = cheapestFabric(call, *design.catalog);
    if (!best || best->plan.switches() >= now) return false;
    auto changes = changesTo(*design.recipe, *best);
    if (const auto asked = call.parameters.find("oversubscription"); !(call == *design.recipe) && asked != call.parameters.end())
        changes["oversubscription"] = asked->second;
    RecipeCall after = *design.recipe;
    std::string edit = "recipe";
    for (const auto& [key, value] : changes) {
        value.empty() ? static_cast<void>(after.parameters.erase(key)) : static_cast<void>(after.parameters[key] = value);
        edit += fmt::format(" {}={}", key, value);
    }
    auto cheaper = build(after, design.name, design.catalog);
    const auto planned = cheaper ? plan(*resolve(after, *design.catalog)) : Result<ClosPlan>(cheaper.errors());
    if (!planned || planned->switches() >= now) return false; // something else that a preset fixes is in the way
    const FabricPointer other = elaborate(std::make_shared<const Design>(std::move(*cheaper)));
    const BisectionChange change = bisectionChange(c.fabric, *other);
    c.add("RY-C006", Severity::Note,
          fmt::format("The fabric uses {} switches, but {} are sufficient for the same GPUs {} ({}).", formatCount(now),
                      formatCount(planned->switches()), within, best->words),
          "recipe", change.words + ". Fewer ports may remain free for expansion.");
    c.found.back().fix = edit;
    return !change.isLoss;
}

} // namespace

// Looks at the recipe as it was called: what was drawn by hand or overridden is meant to be so.
void checkCost(RuleCheck& c) {
    const Design& design = *c.fabric.design;
    if (!design.recipe || !design.overrides.empty() || !design.free->devices.empty() || !design.free->instances.empty()) return;
    const auto settings = resolve(*design.recipe, *design.catalog);
    const auto now = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    if (!now || settings->railPods) return; // pods of one rail each are a structure of their own, not a setting of this one
    if (offerCheaper(c, *design.recipe, now->switches(), "with no more oversubscription")) return;
    if (askedOversubscription(*settings) <= 1 || now->tiers == 1) return;
    RecipeCall balanced = *design.recipe;
    for (const char* key : {"leaf_down", "leaf_up"}) balanced.parameters.erase(key);
    balanced.parameters["oversubscription"] = "1:1";
    offerCheaper(c, balanced, now->switches(), "without oversubscription");
}

} // namespace railyard
