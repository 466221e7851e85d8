#include "core/design/edits/edit_palette.h"

#include "core/design/edits/edit_elements.h"
#include "core/design/edits/edit_tiers.h"
#include "core/design/recipes/recipe_blocks.h"
#include "core/design/recipes/recipe_plan.h"
#include "core/design/recipes/recipe_settings.h"
#include "core/design/recipes/recipe_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::string_view itemNames[] = {"server", "hb-domain", "rail", "leaf", "spine", "superspine", "pod", "plane"};

Result<Edit> dropServer(const Design& design) {
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return settings.errors();
    return setServers(design, settings->servers + settings->serversPerDomain());
}

Result<Edit> startRecipe(const Design& design, std::map<std::string, std::string> parameters, std::string label) {
    auto built = build({"rail-optimized", std::move(parameters)}, design.name, design.catalog);
    if (!built) return built.errors();
    return Edit{std::make_shared<const Design>(std::move(*built)), std::move(label)};
}

// The next count that divides the NICs, so that every rail keeps as many of them.
Result<Edit> dropRail(const Design& design) {
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return settings.errors();
    const int nics = settings->nicsPerRailUnit();
    for (const int rails : railCounts(nics))
        if (rails > settings->rails) return setParameters(design, {{"rails", std::to_string(rails)}});
    const std::string_view unit = settings->family == RecipeFamily::RailOnly ? "HB domain" : "server";
    return Error::unbuildable(fmt::format("{} rails is the maximum: each of the {} NICs of {} {} already has its own rail. Choose a "
                                          "server with more NICs.",
                                          settings->rails, nics, unit == "server" ? "a" : "an", unit));
}

// Of a fabric with one leaf for all rails, where neither a published system nor its parameters say how many rails have a leaf of their own.
bool isOneLeafForAll(const Design& design, const RecipeSettings& settings, const ClosPlan& now) {
    return now.tiers == 1 && settings.family == RecipeFamily::RailOptimized && design.recipe->name == "rail-optimized" &&
           !design.recipe->parameters.contains("rails");
}

std::string countOf(int count, std::string_view one, std::string_view many) {
    return count == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", count, many);
}

// What the edit leaves of the two lower tiers: "2 leaves and 1 spine".
std::string lowerTiersOf(const Design& design) {
    const auto settings = resolve(*design.recipe, *design.catalog);
    const auto now = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    return now ? fmt::format("{} and {}", countOf(now->leaves, "leaf", "leaves"), countOf(now->spines, "spine", "spines")) : std::string();
}

// One leaf becomes two tiers with this number of rails, and with the uplinks that its downlinks in use need.
Result<Edit> splitOneLeaf(const Design& design, int rails, std::string_view what) {
    std::map<std::string, std::string> changes{{"rails", std::to_string(rails)}, {"tiers", "2"}};
    if (!design.recipe->parameters.contains("uplinks")) changes["uplinks"] = "used";
    auto edit = setParameters(design, changes);
    if (edit) edit->label = fmt::format("Add {}: {}", what, lowerTiersOf(*edit->design));
    return edit;
}

// The next rung of the ladder.
Result<Edit> dropSpine(const Design& design) {
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return settings.errors();
    const auto now = plan(*settings);
    if (!now) return now.errors();
    if (isOneLeafForAll(design, *settings, *now)) return splitOneLeaf(design, 1, "spine");
    if (now->tiers == 1 && settings->family == RecipeFamily::RailOptimized) return splitOneLeaf(design, settings->rails, "spine");
    if (now->tiers == 1) {
        auto edit = setParameters(design, keepingRails(design, {{"tiers", "2"}}));
        if (edit) edit->label = "Add spines: " + lowerTiersOf(*edit->design);
        return edit;
    }
    const std::vector<SpineRung> ladder = spineLadder(design);
    if (!ladder.empty()) return setParameters(design, keepingRails(design, {{"spines", std::to_string(ladder.front().spines)}}));
    const int most = settings->radix - now->leafDown;
    return Error::unbuildable(
        now->spinesPerPod >= most
            ? fmt::format(
                  "{} spines is the maximum: each leaf has {} uplink ports. Choose a switch with a higher radix, or reduce the downlinks.",
                  now->spinesPerPod, most)
            : fmt::format("{} spines is the maximum: no larger count divides the uplinks of a leaf evenly.", now->spinesPerPod));
}

// The servers of one domain, of one pod.
Result<Edit> dropDomain(const Design& design) {
    auto edit = dropServer(design);
    if (edit) edit->label = "Add HB domain: " + edit->label;
    return edit;
}
Result<Edit> dropPod(const Design& design) {
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return settings.errors();
    const auto now = plan(*settings);
    if (!now) return now.errors();
    if (now->tiers < 3)
        return Error::unbuildable(fmt::format("Pods require three tiers, and this fabric has {}. Add a superspine first.", now->tiers));
    const int servers = serversOfPod(*settings, *now);
    auto edit = setServers(design, settings->servers + servers);
    if (edit) edit->label = fmt::format("Add pod: {} more servers", servers);
    return edit;
}

// One more plane takes the NIC ports there are; where they do not divide, each NIC gets a port for every plane.
Result<Edit> dropPlane(const Design& design) {
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return settings.errors();
    const std::string planes = std::to_string(settings->planes + 1);
    if (auto edit = setParameters(design, {{"planes", planes}})) return edit;
    auto edit = setParameters(design, {{"planes", planes}, {"nic_ports", planes}});
    if (edit) edit->label = fmt::format("Set {} planes, with one port of every NIC in each", planes);
    return edit;
}

Result<Edit> dropSuperspine(const Design& design) {
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return settings.errors();
    const auto now = plan(*settings);
    if (!now) return now.errors();
    if (now->tiers >= 3)
        return Error::unbuildable(fmt::format(
            "The number of superspines ({1}) follows from the number of spines in this fabric of {0} tiers. Add a spine instead.",
            now->tiers, now->superspines));
    return setParameters(design, keepingRails(design, {{"tiers", "3"}}));
}

// A switch drawn by hand: the design's own switch part, or the usual one.
DeviceRow freeSwitch(const Design& design, SwitchTier tier, Point at) {
    DeviceRow row;
    auto settings = resolve(design.recipe.value_or(RecipeCall{"rail-optimized", {}}), *design.catalog);
    if (!settings) settings = resolve({"rail-optimized", {}}, *design.catalog); // a recipe of another version
    const Part& part = tier == SwitchTier::Leaf ? *settings->leafSwitch : *settings->spineSwitch;
    const Bandwidth speed = tier == SwitchTier::Leaf ? settings->linkSpeed : settings->uplinkSpeed;
    row.slug = std::string(toText(tier)) + (design.recipe ? "-extra" : "");
    row.tier = tier;
    row.part = part.id;
    row.ports = {{tier == SwitchTier::Leaf ? settings->radix : settings->spineRadix, speed, 1}};
    row.at = at;
    for (const DeviceRow& other : design.free->devices)
        if (other.slug == row.slug) row.first = std::max(row.first, other.first + other.count);
    return row;
}

Edit addSwitch(const Design& design, SwitchTier tier, Point at) {
    Block free = *design.free;
    free.devices.push_back(freeSwitch(design, tier, at));
    Design next = design;
    next.free = shared(std::move(free));
    return {std::make_shared<const Design>(std::move(next)), fmt::format("Add unconnected {}", toText(tier))};
}

// Beside a hand-drawn fabric: one more server, its ports free.
Result<Edit> addServer(const Design& design, Point at) {
    auto sample = build({"rail-optimized", {{"servers", "1"}}}, "sample", design.catalog);
    if (!sample) return sample.errors();
    Design next = design;
    if (!next.blocks.contains("server")) next.blocks["server"] = sample->blocks.at("server");
    Block free = *design.free;
    Instance server{.slug = "srv", .block = "server", .role = Instance::Role::Server, .part = "srv-dgx-h100", .at = at};
    for (const Instance& other : free.instances) {
        if (other.slug != "srv") continue;
        server.first = std::max(server.first, other.first + other.count);
        server.part = other.part;
    }
    free.instances.push_back(server);
    next.free = shared(std::move(free));
    return Edit{std::make_shared<const Design>(std::move(next)), fmt::format("Add server srv[{}]", server.first)};
}

} // namespace

std::string_view toText(PaletteItem item) { return itemNames[static_cast<std::size_t>(item)]; }

std::optional<PaletteItem> paletteItemFrom(std::string_view text) {
    for (std::size_t i = 0; i < std::size(itemNames); ++i)
        if (itemNames[i] == text) return static_cast<PaletteItem>(i);
    return {};
}

Result<Edit> dropItem(const Design& design, PaletteItem item, Point at) {
    if (item == PaletteItem::Leaf) return addSwitch(design, SwitchTier::Leaf, at);
    if (!design.recipe) {
        if (item == PaletteItem::Spine) return addSwitch(design, SwitchTier::Spine, at);
        if (item == PaletteItem::Superspine) return addSwitch(design, SwitchTier::Superspine, at);
        const bool server = item == PaletteItem::Server || item == PaletteItem::HbDomain;
        if (!isEmpty(design) && server) return addServer(design, at);
        if (isEmpty(design) && item == PaletteItem::Pod) return startRecipe(design, {{"servers", "1"}, {"tiers", "3"}}, "Start with a pod");
        if (isEmpty(design) && item == PaletteItem::Plane)
            return startRecipe(design, {{"servers", "1"}, {"planes", "2"}, {"nic_ports", "2"}}, "Start with two planes");
        if (item == PaletteItem::Pod || item == PaletteItem::Plane)
            return Error::unbuildable(
                fmt::format("A {} can only be added to a recipe, and this fabric is hand-drawn. Create a new fabric from a recipe first.",
                            toText(item)));
        if (!isEmpty(design))
            return Error::unbuildable(
                "A rail can only be added to a recipe, and this fabric is hand-drawn. Create a new fabric from a recipe first.");
        if (server) return startRecipe(design, {{"servers", "1"}}, "Start with a server");
        return startRecipe(design, {{"servers", "1"}, {"rails", "1"}}, "Start with a rail");
    }
    if (item == PaletteItem::Server) return dropServer(design);
    if (item == PaletteItem::Rail) return dropRail(design);
    if (item == PaletteItem::HbDomain) return dropDomain(design);
    if (item == PaletteItem::Pod) return dropPod(design);
    if (item == PaletteItem::Plane) return dropPlane(design);
    return item == PaletteItem::Spine ? dropSpine(design) : dropSuperspine(design);
}

Result<Edit> dropLeafOnUnit(const Design& design) {
    if (!design.recipe) return Error::unbuildable("This fabric is hand-drawn. Drop the leaf next to the others and connect it.");
    const auto settings = resolve(*design.recipe, *design.catalog);
    if (!settings) return settings.errors();
    if (settings->family == RecipeFamily::FatTree)
        return Error::unbuildable(
            "In a fat tree the number of leaves follows from the number of servers. Add a server instead, or hold Shift to "
            "place one unconnected leaf.");
    const std::vector<int> possible = railCounts(settings->nicsPerRailUnit());
    const auto planned = plan(*settings);
    const bool isOneLeaf = planned && planned->tiers == 1 && settings->family == RecipeFamily::RailOptimized;
    if (isOneLeaf && !possible.empty() && (settings->rails == 1 || isOneLeafForAll(design, *settings, *planned)))
        return splitOneLeaf(design, possible.front(), "leaf");
    if (isOneLeaf && settings->rails > 1) return splitOneLeaf(design, settings->rails, "a leaf for each rail");
    if (possible.empty() || possible.back() <= settings->rails)
        return Error::unbuildable(
            fmt::format("Every SU already has a leaf for each of its {} rails, and every NIC has its own rail. Choose a server "
                        "with more NICs, or hold Shift to place one unconnected leaf.",
                        settings->rails));
    auto edit = dropRail(design);
    const auto after = edit ? resolve(*edit->design->recipe, *design.catalog) : Result<RecipeSettings>(Error::usage(""));
    if (!after) return edit;
    const auto before = plan(*settings), now = plan(*after);
    const int added = before && now ? now->leavesPerSu - before->leavesPerSu : 0;
    edit->label = added == 1  ? fmt::format("Add leaf to every SU: {} rails", after->rails)
                  : added > 1 ? fmt::format("Add {} leaves to every SU: {} rails", added, after->rails)
                              : fmt::format("Use {} rails", after->rails);
    return edit;
}

Result<Edit> dropOne(const Design& design, PaletteItem item, Point at) {
    switch (item) {
    case PaletteItem::Leaf: return addSwitch(design, SwitchTier::Leaf, at);
    case PaletteItem::Spine: return addSwitch(design, SwitchTier::Spine, at);
    case PaletteItem::Superspine: return addSwitch(design, SwitchTier::Superspine, at);
    default: return dropItem(design, item, at);
    }
}

Result<Edit> dropOffRung(const Design& design, PaletteItem item, int step, Point at) {
    if (item == PaletteItem::Superspine) return addSwitch(design, SwitchTier::Superspine, at);
    if (item != PaletteItem::Spine) return dropItem(design, item, at);
    const auto settings = design.recipe ? resolve(*design.recipe, *design.catalog) : Result<RecipeSettings>(Error::usage(""));
    const auto now = settings ? plan(*settings) : Result<ClosPlan>(Error::usage(""));
    if (!now || now->tiers < 2) return addSwitch(design, SwitchTier::Spine, at);
    const int spines = now->spinesPerPod + std::max(1, step);
    auto edit = setParameters(design, keepingRails(design, {{"spines", std::to_string(spines)}}));
    const std::vector<SpineRung> ladder = spineLadder(design);
    const bool even = std::any_of(ladder.begin(), ladder.end(), [&](const SpineRung& rung) { return rung.spines == spines; });
    if (edit && !even) edit->label += " (uneven ECMP)";
    return edit;
}

} // namespace railyard
