#include "core/design/edits/edit_elements.h"

#include "core/base/counted.h"
#include "core/base/unit_text.h"
#include "core/design/edits/edit_callouts.h"
#include "core/design/model/block_rows.h"
#include "core/design/model/own_blocks.h"
#include "core/design/recipes/recipe_blocks.h"
#include "core/design/recipes/recipe_settings.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace railyard {
namespace {

Edit made(Design next, std::string label) { return {std::make_shared<const Design>(std::move(next)), std::move(label)}; }

std::string listedElements(const std::vector<std::string>& paths) {
    return paths.size() == 1 ? paths.front() : fmt::format("{} elements", paths.size());
}

using Overrides = std::map<std::string, Override, NaturalLess>;

bool removeFree(Block& free, Overrides& overrides, std::string_view path) {
    if (!takeFromRow(free.devices, path) && !takeFromRow(free.instances, path)) return false;
    // Its number may be used again: nothing of it may lie in wait for the next.
    std::erase_if(overrides, [&](const auto& own) {
        return own.first == path || (own.first.starts_with(path) && own.first.size() > path.size() &&
                                     (own.first[path.size()] == '/' || own.first[path.size()] == ':'));
    });
    std::erase_if(free.links, [&](const FreeLink& link) {
        const auto ends = [&](const std::string& port) {
            return port.starts_with(path) && port.size() > path.size() && (port[path.size()] == ':' || port[path.size()] == '/');
        };
        return ends(link.a) || ends(link.b);
    });
    return true;
}

// A change of a callout that is not there would wait for an element of that name for ever.
std::optional<Error> missingCallout(const Design& design, const std::string& path) {
    if (!path.starts_with("callout[") || calloutAt(design, path) || isHandDrawn(design, path)) return {};
    return Error::unbuildable(fmt::format("The design has no {}.", path));
}

// Under `rails = auto` another size may build other rails; the label then says so.
std::string withRailChange(std::string label, const Design& before, const Design& after) {
    const auto railsOf = [](const Design& design) {
        const auto settings = design.recipe ? resolve(*design.recipe, *design.catalog) : Result<RecipeSettings>(Error::usage(""));
        return settings && settings->autoRails ? settings->rails : 0;
    };
    const int then = railsOf(before), now = railsOf(after);
    if (then != 0 && now != 0 && then != now) label += fmt::format(" (rails = auto changes from {} to {} rails)", then, now);
    return label;
}

// The recipe run again with another call.
Result<Edit> rerun(const Design& design, const RecipeCall& call, std::string label) {
    auto next = rebuild(design, call);
    if (!next) return next.errors();
    label = withRailChange(std::move(label), design, *next);
    return made(std::move(*next), std::move(label));
}

} // namespace

DesignPointer emptyDesign(CatalogPointer catalog) {
    Design design;
    design.name = "untitled";
    design.catalog = std::move(catalog);
    return std::make_shared<const Design>(std::move(design));
}

bool isEmpty(const Design& design) {
    return !design.recipe && !design.blocks.contains("root") && design.free->devices.empty() && design.free->instances.empty();
}

bool isHandDrawn(const Design& design, std::string_view path) {
    const Block& free = *design.free;
    const std::string_view first = path.substr(0, path.find('/'));
    return findRow(free.devices, first) != free.devices.end() || findRow(free.instances, first) != free.instances.end();
}

std::map<std::string, std::string> keepingRails(const Design& design, std::map<std::string, std::string> changes) {
    const auto settings = design.recipe ? resolve(*design.recipe, *design.catalog) : Result<RecipeSettings>(Error::usage(""));
    if (settings && settings->autoRails) changes["rails"] = std::to_string(settings->rails);
    return changes;
}

Result<Edit> setParameters(const Design& design, const std::map<std::string, std::string>& changes) {
    if (!design.recipe) return Error::unbuildable("This fabric is hand-drawn and has no recipe parameters.");
    RecipeCall call = *design.recipe;
    std::string label;
    for (const auto& [key, value] : changes) {
        if (value.empty())
            call.parameters.erase(key);
        else
            call.parameters[key] = value;
        label += fmt::format("{}{} = {}", label.empty() ? "Set " : ", ", key, value.empty() ? "default" : value);
    }
    return rerun(design, call, label);
}

Result<Edit> setServers(const Design& design, int servers) {
    if (!design.recipe) return Error::unbuildable("This fabric is hand-drawn. Drag servers onto it one at a time.");
    RecipeCall call = *design.recipe;
    call.parameters.erase("gpus");
    call.parameters["servers"] = std::to_string(servers);
    return rerun(design, call, fmt::format("Set servers to {}", formatCount(servers)));
}

Result<Edit> replaceRecipe(const Design& design, const RecipeCall& call) {
    return rerun(design, call, fmt::format("New fabric: {}", call.name));
}

Result<Edit> removeElements(const Design& design, const std::vector<std::string>& paths) {
    if (paths.empty()) return Error::unbuildable("Nothing is selected.");
    Design next = design;
    Block free = *design.free;
    std::set<std::size_t, std::greater<>> callouts; // the last first: the others keep their numbers meanwhile
    for (const std::string& path : paths) {
        if (const auto missing = missingCallout(design, path)) return *missing;
        if (const auto callout = calloutAt(design, path))
            callouts.insert(*callout);
        else if (!removeFree(free, next.overrides, path))
            next.overrides[path].remove = true;
    }
    for (const std::size_t callout : callouts) next.callouts.erase(next.callouts.begin() + static_cast<std::ptrdiff_t>(callout));
    next.free = shared(std::move(free));
    return made(std::move(next), fmt::format("Delete {}", listedElements(paths)));
}

Result<Edit> moveElements(const Design& design, const std::map<std::string, Point>& places) {
    if (places.empty()) return Error::unbuildable("Nothing is selected.");
    Design next = design;
    Block free = *design.free;
    for (const auto& [path, at] : places) {
        if (const auto missing = missingCallout(design, path)) return *missing;
        if (const auto callout = calloutAt(design, path))
            next.callouts[*callout].at = at;
        else if (DeviceRow* device = singleRow(free.devices, path))
            device->at = at;
        else if (Instance* instance = singleRow(free.instances, path))
            instance->at = at;
        else
            next.overrides[path].at = at;
    }
    next.free = shared(std::move(free));
    return made(std::move(next),
                places.size() == 1 ? fmt::format("Move {}", places.begin()->first) : fmt::format("Move {} elements", places.size()));
}

Result<Edit> setPart(const Design& design, const std::vector<std::string>& paths, const std::string& part) {
    const Part* found = design.catalog->find(part);
    if (!found) return Error::unbuildable(fmt::format("The catalogue has no part {}.", part));
    Design next = design;
    Block free = *design.free;
    for (const std::string& path : paths) {
        if (DeviceRow* device = singleRow(free.devices, path))
            device->part = part;
        else
            next.overrides[path].part = part;
    }
    next.free = shared(std::move(free));
    return made(std::move(next), fmt::format("Use {} for {}", found->name, listedElements(paths)));
}

Result<Edit> labelElements(const Design& design, const std::map<std::string, std::string>& labels) {
    if (labels.empty()) return Error::unbuildable("The selection contains no element that can be named.");
    Design next = design;
    std::vector<std::string> paths;
    for (const auto& [path, label] : labels) {
        if (const auto missing = missingCallout(design, path)) return *missing;
        if (const auto callout = calloutAt(design, path)) {
            Callout spoken = design.callouts[*callout];
            spoken.text = label;
            const auto changed = changeCallout(next, *callout, spoken);
            if (!changed) return changed.errors();
            next = *changed->design;
            paths.push_back(path);
            continue;
        }
        Override& change = next.overrides[path];
        change.label = label;
        if (change.isEmpty()) next.overrides.erase(path);
        paths.push_back(path);
    }
    const auto& [first, name] = *labels.begin();
    return made(std::move(next),
                labels.size() == 1 ? fmt::format("Rename {} to {}", first, name) : fmt::format("Rename {}", listedElements(paths)));
}

Result<Edit> saveView(const Design& design, const SavedView& view) {
    if (view.name.empty()) return Error::unbuildable("A saved view needs a name.");
    if (!(view.width > 0) || !(view.height > 0)) return Error::unbuildable("This view is empty.");
    Design next = design;
    std::erase_if(next.views, [&](const SavedView& own) { return own.name == view.name; });
    next.views.push_back(view);
    return made(std::move(next), fmt::format("Save view {}", view.name));
}

Result<Edit> forgetView(const Design& design, const std::string& name) {
    Design next = design;
    if (std::erase_if(next.views, [&](const SavedView& own) { return own.name == name; }) == 0)
        return Error::unbuildable(fmt::format("There is no saved view {}.", name));
    return made(std::move(next), fmt::format("Delete view {}", name));
}

Result<Edit> setTarget(const Design& design, const std::string& figure, bool atMost, std::optional<double> value) {
    if (figure.empty()) return Error::unbuildable("A target needs a metric.");
    if (value && !std::isfinite(*value)) return Error::unbuildable("A target must be a number.");
    Design next = design;
    const auto gone = std::erase_if(next.targets, [&](const Target& target) { return target.figure == figure; });
    if (!value && gone == 0) return Error::unbuildable(fmt::format("{} has no target.", figure));
    if (!value) return made(std::move(next), fmt::format("Remove target for {}", figure));
    next.targets.push_back({figure, atMost, *value});
    return made(std::move(next), fmt::format("Set target: {} {} {:g}", figure, atMost ? "≤" : "≥", *value));
}

Result<Edit> setOptions(const Design& design, std::optional<NamedOptions> Design::*section, std::optional<NamedOptions> options,
                        std::string label) {
    Design next = design;
    const bool isUsual = !options || *options == NamedOptions();
    next.*section = isUsual ? std::nullopt : std::move(options);
    return made(std::move(next), std::move(label));
}

Result<Edit> setTraining(const Design& design, std::optional<NamedOptions> training) {
    const char* label = training ? "Set training job" : "Remove training job";
    return setOptions(design, &Design::training, std::move(training), label);
}

Result<Edit> copyChange(const Design& design, const std::string& from, const std::vector<std::string>& to) {
    const auto source = design.overrides.find(from);
    if (source == design.overrides.end() || (source->second.part.empty() && !source->second.remove && source->second.block.empty()))
        return Error::unbuildable(fmt::format("{} has no override of its part or block that could be applied to others.", from));
    const auto slugOf = [](std::string_view path) {
        const auto last = parseSegment(path.substr(path.rfind('/') + 1)); // the whole path where there is no slash
        return last ? last->first : std::string();
    };
    Design next = design;
    for (const std::string& path : to) {
        if (!source->second.block.empty() && slugOf(path) != slugOf(from))
            return Error::unbuildable(fmt::format("{} is of a different kind than {}, so the change cannot be applied to it.", path, from));
        next.overrides[path].part = source->second.part;
        next.overrides[path].remove = source->second.remove;
        next.overrides[path].block = source->second.block;
    }
    dropUnusedBlocks(next);
    return made(std::move(next), fmt::format("Apply the change of {} to {}", from, listedElements(to)));
}

Result<Edit> dropChanges(const Design& design, const std::vector<std::string>& paths) {
    if (paths.empty()) return Error::unbuildable("There are no orphaned overrides.");
    Design next = design;
    for (const std::string& path : paths) next.overrides.erase(path);
    dropUnusedBlocks(next);
    return made(std::move(next),
                counted(static_cast<std::int64_t>(paths.size()), "Remove {} orphaned override", "Remove {} orphaned overrides"));
}

Result<Edit> backToRecipe(const Design& design, const std::vector<std::string>& paths) {
    Design next = design;
    std::size_t taken = 0;
    for (const std::string& path : paths) taken += next.overrides.erase(path) + (next.floor ? next.floor->moved.erase(path) : 0);
    if (taken == 0) return Error::unbuildable("The selection has no overrides.");
    dropUnusedBlocks(next);
    return made(std::move(next), fmt::format("Reset {} to the recipe", listedElements(paths)));
}

Edit addLink(const Design& design, const FreeLink& link) {
    Design next = design;
    Block free = *design.free;
    free.links.push_back(link);
    next.free = shared(std::move(free));
    return made(std::move(next), fmt::format("Connect {} – {}", link.a, link.b));
}

Result<Edit> removeLink(const Design& design, const std::string& a, const std::string& b) {
    Design next = design;
    Block free = *design.free;
    const auto same = [&](const FreeLink& link) { return (link.a == a && link.b == b) || (link.a == b && link.b == a); };
    if (std::erase_if(free.links, same) == 0) return Error::unbuildable(fmt::format("No hand-drawn cable connects {} and {}.", a, b));
    next.free = shared(std::move(free));
    return made(std::move(next), fmt::format("Disconnect {} – {}", a, b));
}

Result<Edit> approve(const Design& design, const Approval& approval) {
    Design next = design;
    const auto same = [&](const Approval& each) { return each.code == approval.code && each.subject == approval.subject; };
    const auto taken = std::erase_if(next.approvals, same);
    if (approval.reason.empty() && taken == 0)
        return Error::unbuildable(fmt::format("{} is not approved. Enter a reason to approve it.", approval.code));
    if (!approval.reason.empty()) next.approvals.push_back(approval);
    return made(std::move(next), fmt::format("{} {}", approval.reason.empty() ? "Revoke approval of" : "Approve", approval.code));
}

} // namespace railyard
