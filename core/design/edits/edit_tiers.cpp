// A tier's part or count, one step further: what a wheel over it does.
#include "core/design/edits/edit_tiers.h"

#include "core/base/unit_text.h"
#include "core/design/edits/edit_elements.h"
#include "core/design/edits/edit_palette.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <tuple>

namespace railyard {
namespace {

// From slow and small to fast and large.
std::vector<const Part*> switchesInOrder(const Catalog& catalog) {
    std::vector<const Part*> parts;
    for (const auto& [id, part] : catalog.parts())
        if (part.as<SwitchPart>()) parts.push_back(&part);
    const auto rank = [](const Part* part) {
        const SwitchPart& details = *part->as<SwitchPart>();
        return std::tuple(details.nativeSpeed.value(), details.portsAt(details.nativeSpeed), part->id);
    };
    std::sort(parts.begin(), parts.end(), [&](const Part* a, const Part* b) { return rank(a) < rank(b); });
    return parts;
}

// The other tiers keep their part, where the fabric can be built so.
Result<Edit> usePart(const Design& design, const RecipeSettings& settings, bool isLeaf, const Part& part) {
    if (!isLeaf) {
        auto edit = setParameters(design, {{"spine_switch", part.id}});
        if (edit) edit->label = fmt::format("Use {} above the leaves", part.name);
        return edit;
    }
    auto edit = setParameters(design, {{"switch", part.id}, {"spine_switch", settings.spineSwitch->id}});
    if (edit) edit->label = fmt::format("Use {} for the leaves", part.name);
    if (edit || design.recipe->parameters.contains("spine_switch")) return edit;
    edit = setParameters(design, {{"switch", part.id}});
    if (edit) edit->label = fmt::format("Use {} for the leaves and the switches above", part.name);
    return edit;
}

const std::string& protocolOf(const Part& part) { return part.as<SwitchPart>()->protocol; }

// Parts of another protocol, and those with which this fabric cannot be built, are passed over.
Result<Edit> stepPart(const Design& design, const RecipeSettings& settings, bool isLeaf, int step) {
    const std::vector<const Part*> parts = switchesInOrder(*design.catalog);
    const Part* now = isLeaf ? settings.leafSwitch : settings.spineSwitch;
    auto at = static_cast<std::ptrdiff_t>(std::find(parts.begin(), parts.end(), now) - parts.begin());
    for (at += step; at >= 0 && at < static_cast<std::ptrdiff_t>(parts.size()); at += step) {
        const Part& part = *parts[static_cast<std::size_t>(at)];
        if (protocolOf(part) != protocolOf(*now)) continue;
        if (auto edit = usePart(design, settings, isLeaf, part)) return edit;
    }
    return Error::unbuildable(
        fmt::format("The catalogue has no {} switch with which this fabric can be built.", step > 0 ? "larger" : "smaller"));
}

// So many spines in a pod, where they can be and split the uplinks of every leaf evenly.
std::optional<SpineRung> rungAt(const Design& design, int spines) {
    RecipeCall call = *design.recipe;
    for (const auto& [key, value] : keepingRails(design, {{"spines", std::to_string(spines)}})) call.parameters[key] = value;
    const auto asked = resolve(call, *design.catalog);
    const auto after = asked ? plan(*asked) : Result<ClosPlan>(asked.errors());
    if (!after) return {};
    const int uplinks = after->tiers == 2 || spines < after->leafUp ? after->leafUp : after->leafDown;
    if (uplinks % spines != 0) return {};
    return SpineRung{spines, after->leafUp / spines};
}

Result<Edit> stepSpines(const Design& design, int spines, int step) {
    if (step > 0) return dropItem(design, PaletteItem::Spine, {});
    const auto usual = setParameters(design, {{"spines", ""}}); // not written down, so that it follows the size again
    const auto plain = usual ? resolve(*usual->design->recipe, *design.catalog) : Result<RecipeSettings>(usual.errors());
    const auto planned = plain ? plan(*plain) : Result<ClosPlan>(plain.errors());
    for (int fewer = spines - 1; fewer > 0; --fewer) {
        if (planned && planned->spinesPerPod == fewer) return usual;
        if (rungAt(design, fewer)) return setParameters(design, keepingRails(design, {{"spines", std::to_string(fewer)}}));
    }
    return Error::unbuildable(fmt::format("{} spines is the minimum for these leaves.", spines));
}

Result<Edit> stepServers(const Design& design, int now, std::int64_t more, std::string_view what) {
    const std::int64_t servers = now + more;
    if (servers <= 0) return Error::unbuildable(fmt::format("The minimum is one {}.", what));
    if (servers > std::numeric_limits<int>::max()) return Error::unbuildable("The number of servers is too large.");
    return setServers(design, static_cast<int>(servers));
}

} // namespace

std::vector<PartChoice> partChoices(const Design& design, TierStep what) {
    const auto settings = design.recipe ? resolve(*design.recipe, *design.catalog) : Result<RecipeSettings>(Error::usage(""));
    const auto planned = settings ? plan(*settings) : Result<ClosPlan>(Error::usage(""));
    std::vector<PartChoice> choices;
    if (!planned) return choices;
    const bool isLeaf = what == TierStep::LeafPart;
    const Part *now = isLeaf ? settings->leafSwitch : settings->spineSwitch, *other = isLeaf ? settings->spineSwitch : settings->leafSwitch;
    for (const Part* part : switchesInOrder(*design.catalog)) {
        PartChoice choice{part, part == now, protocolOf(*part) != protocolOf(*other), usePart(design, *settings, isLeaf, *part), 0};
        if (choice.edit) {
            const auto after = resolve(*choice.edit->design->recipe, *choice.edit->design->catalog);
            const auto then = after ? plan(*after) : Result<ClosPlan>(after.errors());
            if (then) choice.switches = then->switches() - planned->switches();
        }
        choices.push_back(std::move(choice));
    }
    const auto rank = [](const PartChoice& choice) { return !choice.edit ? 2 : choice.isOtherProtocol ? 1 : 0; };
    std::stable_sort(choices.begin(), choices.end(), [&](const PartChoice& a, const PartChoice& b) { return rank(a) < rank(b); });
    return choices;
}

std::string switchText(const Part& part) {
    const SwitchPart& details = *part.as<SwitchPart>();
    return fmt::format("{} · {} × {} · {}", part.name, details.portsAt(details.nativeSpeed), formatBandwidth(details.nativeSpeed),
                       details.protocol == "ib" ? "InfiniBand" : "Ethernet");
}

std::vector<SpineRung> spineCounts(const Design& design) {
    std::vector<SpineRung> counts;
    const auto settings = design.recipe ? resolve(*design.recipe, *design.catalog) : Result<RecipeSettings>(Error::usage(""));
    const auto now = settings ? plan(*settings) : Result<ClosPlan>(Error::usage(""));
    if (!now || now->tiers < 2) return counts;
    for (int spines = 1; spines <= std::max(settings->radix, now->spinesPerPod); ++spines) {
        const auto rung = rungAt(design, spines);
        if (rung || spines == now->spinesPerPod) counts.push_back(rung.value_or(SpineRung{spines, now->leafUp / spines}));
    }
    return counts;
}

std::vector<SpineRung> spineLadder(const Design& design) {
    const auto settings = design.recipe ? resolve(*design.recipe, *design.catalog) : Result<RecipeSettings>(Error::usage(""));
    const auto now = settings ? plan(*settings) : Result<ClosPlan>(Error::usage(""));
    if (!now) return {};
    std::vector<SpineRung> ladder = spineCounts(design);
    std::erase_if(ladder, [&](const SpineRung& rung) { return rung.spines <= now->spinesPerPod; });
    return ladder;
}

int serversOfPod(const RecipeSettings& settings, const ClosPlan& now) {
    const int leavesOfSu = std::max(1, now.leavesPerSu / now.networks); // in one network
    return settings.podServers > 0 ? settings.podServers : std::max(1, now.leavesPerPod / leavesOfSu) * now.suServers;
}

Result<Edit> stepTier(const Design& design, TierStep what, int step) {
    if (!design.recipe) return Error::unbuildable("This fabric is hand-drawn and has no recipe parameters.");
    const auto settings = resolve(*design.recipe, *design.catalog);
    const auto now = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    if (!now) return now.errors();
    switch (what) {
    case TierStep::LeafPart: return stepPart(design, *settings, true, step);
    case TierStep::UpperPart: return stepPart(design, *settings, false, step);
    case TierStep::Spines: return stepSpines(design, now->spinesPerPod, step);
    case TierStep::Servers: return stepServers(design, settings->servers, std::int64_t{step} * settings->serversPerDomain(), "server");
    case TierStep::ScalableUnits: return stepServers(design, settings->servers, std::int64_t{step} * now->suServers, "SU");
    case TierStep::Pods:
        if (now->tiers < 3) return Error::unbuildable(fmt::format("Pods require three tiers, and this fabric has {}.", now->tiers));
        return stepServers(design, settings->servers, std::int64_t{step} * serversOfPod(*settings, *now), "pod");
    }
    return Error::usage("no such step");
}

} // namespace railyard
