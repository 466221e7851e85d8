// Templates: groups of the design drawn again, and an SU of a published system beside the existing elements.
#include "core/design/edits/edit_templates.h"

#include "core/design/edits/edit_elements.h"
#include "core/design/edits/edit_palette.h"
#include "core/design/edits/edit_tiers.h"
#include "core/design/model/block_rows.h"
#include "core/design/model/own_blocks.h"
#include "core/design/recipes/recipe_blocks.h"
#include "core/design/recipes/recipe_plan.h"
#include "core/design/recipes/recipe_settings.h"
#include "core/design/recipes/recipe_table.h"

#include <fmt/format.h>
#include <functional>

namespace railyard {
namespace {

constexpr std::string_view unitPrefix = "su:"; // of a preset

bool isPreset(const RecipeInfo& recipe) { return !recipe.settings.empty(); }

// One instance more of a block, drawn by hand.
Edit drawn(Design next, const std::string& block, Point at, std::string_view what) {
    Block free = *next.free;
    Instance group{.slug = "group", .block = block, .role = Instance::Role::Plain, .part = {}, .at = at};
    group.first = nextNumber(free, group.slug);
    std::string label = fmt::format("Add group[{}] ({})", group.first, what);
    free.instances.push_back(std::move(group));
    next.free = shared(std::move(free));
    return {std::make_shared<const Design>(std::move(next)), std::move(label)};
}

// A preset with one full SU.
Result<Design> oneUnit(const Design& design, const RecipeInfo& preset) {
    const auto settings = resolve({std::string(preset.name), {}}, *design.catalog);
    if (!settings) return settings.errors();
    const auto planned = plan(*settings);
    if (!planned) return planned.errors();
    const int servers = std::max(planned->suServers, settings->serversPerDomain());
    return build({std::string(preset.name), {{"servers", std::to_string(servers)}}}, design.name, design.catalog);
}

// The SUs of this design are like those of the other.
bool isSameSystem(const Design& design, const Design& other) {
    if (!design.recipe) return false;
    const auto own = resolve(*design.recipe, *design.catalog), its = resolve(*other.recipe, *other.catalog);
    const auto ownPlan = own ? plan(*own) : Result<ClosPlan>(own.errors()), itsPlan = its ? plan(*its) : Result<ClosPlan>(its.errors());
    return ownPlan && itsPlan && own->family == its->family && own->server->id == its->server->id &&
           own->leafSwitch->id == its->leafSwitch->id && own->rails == its->rails && own->planes == its->planes &&
           ownPlan->leafDown == itsPlan->leafDown && ownPlan->leavesPerSu == itsPlan->leavesPerSu;
}

// Its SU with all inner blocks, under names that no recipe uses; blocks that an earlier drop added are used again.
Result<Edit> dropUnit(const Design& design, const RecipeInfo& preset, Point at) {
    auto built = oneUnit(design, preset);
    if (!built) return built.errors();
    const std::string words = fmt::format("SU of {}", preset.name);
    if (isSameSystem(design, *built)) {
        auto next = stepTier(design, TierStep::ScalableUnits, 1);
        if (next) next->label = "Add SU: " + next->label;
        return next;
    }
    if (isEmpty(design)) keepOwnBlocks(design, *built);
    if (isEmpty(design)) return Edit{std::make_shared<const Design>(std::move(*built)), fmt::format("Start with {}", words)};
    Design next = design;
    const std::string name = fmt::format("{}{}", groupBlockPrefix, preset.name);
    const std::function<void(const std::string&, const std::string&)> bring = [&](const std::string& from, const std::string& to) {
        Block block = *built->blocks.at(from);
        block.name = to;
        for (Instance& row : block.instances) {
            const std::string inner = fmt::format("{} {}", preset.name, row.block);
            bring(row.block, inner);
            row.block = inner;
        }
        next.blocks.emplace(to, shared(std::move(block)));
    };
    bring("su", name);
    return drawn(std::move(next), name, at, words);
}

} // namespace

Result<Edit> copyBlock(const Design& design, const std::string& path, Point at) {
    const auto inForce = blocksInForce(design);
    const std::string block = isHandDrawn(design, path) ? blockNameAt(design, path) : blockNameIn(inForce, path);
    if (!inForce.contains(block)) return Error::unbuildable(fmt::format("{} is not a block, so it cannot be copied as a template.", path));
    Design next = design;
    const std::string name = freshBlockName(design, groupBlockPrefix);
    Block copy = *inForce.at(block);
    BlockCopies copies(inForce, next);
    for (Instance& row : copy.instances) row.block = copies.take(row.block);
    copy.name = name;
    next.blocks.emplace(name, shared(std::move(copy)));
    return drawn(std::move(next), name, at, fmt::format("copy of {}", path));
}

std::vector<Template> templatesOf(const Design& design) {
    std::vector<Template> all;
    std::map<std::string, std::string, NaturalLess> groups;
    for (const auto& [name, block] : design.blocks)
        if (name.starts_with(groupBlockPrefix) && !findRecipe(name.substr(groupBlockPrefix.size()))) groups[name] = name;
    for (const auto& [name, words] : groups) all.push_back({name, words});
    for (const RecipeInfo& recipe : recipes())
        if (isPreset(recipe)) all.push_back({fmt::format("{}{}", unitPrefix, recipe.name), std::string(recipe.name)});
    return all;
}

Result<Edit> dropNamed(const Design& design, std::string_view name, Point at) {
    if (const auto item = paletteItemFrom(name)) return dropItem(design, *item, at);
    if (name.starts_with(unitPrefix)) {
        const RecipeInfo* preset = findRecipe(name.substr(unitPrefix.size()));
        return preset ? dropUnit(design, *preset, at) : Result<Edit>(Error::unbuildable(fmt::format("There is no system {}.", name)));
    }
    if (!name.starts_with(groupBlockPrefix) || !design.blocks.contains(std::string(name)))
        return Error::unbuildable(fmt::format("There is no template {}.", name));
    return drawn(design, std::string(name), at, fmt::format("another {}", name));
}

} // namespace railyard
