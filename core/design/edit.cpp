#include "core/design/edit.h"

#include "core/design/block_rows.h"
#include "core/design/own_blocks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace railyard {
namespace {

Edit made(Design next, std::string label) { return {std::make_shared<const Design>(std::move(next)), std::move(label)}; }

std::string listed(const std::vector<std::string>& paths) {
    return paths.size() == 1 ? paths.front() : fmt::format("{} elements", paths.size());
}

using Overrides = std::map<std::string, Override, NaturalLess>;

bool removeFree(Block& free, Overrides& overrides, std::string_view path) {
    if (!takeFromRow(free.devices, path) && !takeFromRow(free.instances, path)) return false;
    // Its number may be used again: nothing of it may lie in wait for the next.
    std::erase_if(overrides, [&](const auto& own) {
        return own.first == path || (own.first.starts_with(path) && own.first.size() > path.size() && own.first[path.size()] == '/');
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
    return Error::unbuildable(fmt::format("There is no {}.", path));
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

Result<Edit> setParameters(const Design& design, const std::map<std::string, std::string>& changes) {
    if (!design.recipe) return Error::unbuildable("This fabric is drawn by hand and has no recipe to change.");
    RecipeCall call = *design.recipe;
    std::string label;
    for (const auto& [key, value] : changes) {
        if (value.empty())
            call.parameters.erase(key);
        else
            call.parameters[key] = value;
        label += fmt::format("{}{} = {}", label.empty() ? "Set " : ", ", key, value.empty() ? "default" : value);
    }
    auto next = rebuild(design, call);
    if (!next) return next.errors();
    return made(std::move(*next), label);
}

Result<Edit> setServers(const Design& design, int servers) {
    if (!design.recipe) return Error::unbuildable("This fabric is drawn by hand; drag servers onto it one by one.");
    RecipeCall call = *design.recipe;
    call.parameters.erase("gpus");
    call.parameters["servers"] = std::to_string(servers);
    auto next = rebuild(design, call);
    if (!next) return next.errors();
    return made(std::move(*next), fmt::format("Set servers to {}", servers));
}

Result<Edit> replaceRecipe(const Design& design, const RecipeCall& call) {
    auto next = rebuild(design, call);
    if (!next) return next.errors();
    return made(std::move(*next), fmt::format("New fabric: {}", call.name));
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
    return made(std::move(next), fmt::format("Delete {}", listed(paths)));
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
    if (!found) return Error::unbuildable(fmt::format("No part is called {}.", part));
    Design next = design;
    Block free = *design.free;
    for (const std::string& path : paths) {
        if (DeviceRow* device = singleRow(free.devices, path))
            device->part = part;
        else
            next.overrides[path].part = part;
    }
    next.free = shared(std::move(free));
    return made(std::move(next), fmt::format("Use {} for {}", found->name, listed(paths)));
}

Result<Edit> labelElements(const Design& design, const std::map<std::string, std::string>& labels) {
    if (labels.empty()) return Error::unbuildable("Nothing is selected that could have a name.");
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
    return made(std::move(next), labels.size() == 1 ? fmt::format("Call {} {}", first, name) : fmt::format("Name {}", listed(paths)));
}

Result<Edit> saveView(const Design& design, const SavedView& view) {
    if (view.name.empty()) return Error::unbuildable("A view needs a name to come back to.");
    if (!(view.width > 0) || !(view.height > 0)) return Error::unbuildable("This view shows nothing.");
    Design next = design;
    std::erase_if(next.views, [&](const SavedView& own) { return own.name == view.name; });
    next.views.push_back(view);
    return made(std::move(next), fmt::format("Save the view {}", view.name));
}

Result<Edit> forgetView(const Design& design, const std::string& name) {
    Design next = design;
    if (std::erase_if(next.views, [&](const SavedView& own) { return own.name == name; }) == 0)
        return Error::unbuildable(fmt::format("No view is called {}.", name));
    return made(std::move(next), fmt::format("Forget the view {}", name));
}

Result<Edit> setTarget(const Design& design, const std::string& figure, bool atMost, std::optional<double> value) {
    if (figure.empty()) return Error::unbuildable("A target needs a figure.");
    if (value && !std::isfinite(*value)) return Error::unbuildable("A target is a number.");
    Design next = design;
    const auto gone = std::erase_if(next.targets, [&](const Target& target) { return target.figure == figure; });
    if (!value && gone == 0) return Error::unbuildable(fmt::format("{} has no target.", figure));
    if (!value) return made(std::move(next), fmt::format("No target for {}", figure));
    next.targets.push_back({figure, atMost, *value});
    return made(std::move(next), fmt::format("Target: {} at {} {:g}", figure, atMost ? "most" : "least", *value));
}

Result<Edit> copyChange(const Design& design, const std::string& from, const std::vector<std::string>& to) {
    const auto source = design.overrides.find(from);
    if (source == design.overrides.end() || (source->second.part.empty() && !source->second.remove && source->second.block.empty()))
        return Error::unbuildable(fmt::format("{} has no part or block of its own that others could take.", from));
    const auto slugOf = [](std::string_view path) {
        const auto last = parseSegment(path.substr(path.rfind('/') + 1)); // the whole path where there is no slash
        return last ? last->first : std::string();
    };
    Design next = design;
    for (const std::string& path : to) {
        if (!source->second.block.empty() && slugOf(path) != slugOf(from))
            return Error::unbuildable(fmt::format("{} is of another kind than {} and cannot hold the same.", path, from));
        next.overrides[path].part = source->second.part;
        next.overrides[path].remove = source->second.remove;
        next.overrides[path].block = source->second.block;
    }
    dropUnusedBlocks(next);
    return made(std::move(next), fmt::format("As {}: {}", from, listed(to)));
}

Result<Edit> dropChanges(const Design& design, const std::vector<std::string>& paths) {
    if (paths.empty()) return Error::unbuildable("Every change has its element.");
    Design next = design;
    for (const std::string& path : paths) next.overrides.erase(path);
    dropUnusedBlocks(next);
    return made(std::move(next), fmt::format("Drop {} changes without an element", paths.size()));
}

Result<Edit> backToRecipe(const Design& design, const std::vector<std::string>& paths) {
    Design next = design;
    std::size_t taken = 0;
    for (const std::string& path : paths) taken += next.overrides.erase(path) + (next.floor ? next.floor->moved.erase(path) : 0);
    if (taken == 0) return Error::unbuildable("Nothing selected differs from the recipe.");
    dropUnusedBlocks(next);
    return made(std::move(next), fmt::format("Back to the recipe: {}", listed(paths)));
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
    if (std::erase_if(free.links, same) == 0) return Error::unbuildable(fmt::format("No cable drawn by hand joins {} and {}.", a, b));
    next.free = shared(std::move(free));
    return made(std::move(next), fmt::format("Disconnect {} – {}", a, b));
}

Result<Edit> approve(const Design& design, const Approval& approval) {
    Design next = design;
    const auto same = [&](const Approval& each) { return each.code == approval.code && each.subject == approval.subject; };
    const auto taken = std::erase_if(next.approvals, same);
    if (approval.reason.empty() && taken == 0)
        return Error::unbuildable(fmt::format("{} is not approved. Give a reason to approve it.", approval.code));
    if (!approval.reason.empty()) next.approvals.push_back(approval);
    return made(std::move(next), fmt::format("{} {}", approval.reason.empty() ? "No longer approve" : "Approve", approval.code));
}

} // namespace railyard
