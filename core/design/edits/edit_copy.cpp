// Copies of what was drawn by hand, with the cables between them.
#include "core/design/edits/edit_copy.h"

#include "core/design/edits/edit_callouts.h"
#include "core/design/model/block_rows.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

std::string_view elementOf(std::string_view port) { return port.substr(0, port.find_first_of(":/")); }

// A block and all those inside it.
void takeBlocks(const Design& from, const std::string& name, Design& into) {
    const auto block = from.blocks.find(name);
    if (block == from.blocks.end() || !into.blocks.insert(*block).second) return;
    for (const Instance& row : block->second->instances) takeBlocks(from, row.block, into);
}

template <class Row>
Row copyOf(const Row& row, std::string_view path) {
    Row copy = row;
    copy.first = parseSegment(path)->second;
    copy.count = 1;
    return copy;
}

// Puts rows into a block under numbers of their own; `renamed` maps old paths to new ones.
template <class Row>
void insertRows(const std::vector<Row>& from, std::vector<Row> Block::*rows, Block& into, bool hasRecipe, Point by,
                std::map<std::string, std::string, std::less<>>& renamed) {
    for (Row row : from) {
        const std::string before = fmt::format("{}[{}]", row.slug, row.first);
        if (hasRecipe && !row.slug.ends_with("-extra")) row.slug += "-extra"; // names the recipe never uses
        row.first = nextNumber(into, row.slug);
        if (row.at) row.at = Point{row.at->x + by.x, row.at->y + by.y};
        renamed[before] = fmt::format("{}[{}]", row.slug, row.first);
        (into.*rows).push_back(std::move(row));
    }
}

} // namespace

Result<DesignPointer> copyElements(const Design& design, const std::vector<std::string>& paths) {
    Block taken{"free", {}, {}, {}, {}};
    Design part;
    part.catalog = design.catalog;
    std::vector<std::string> sorted = paths;
    std::sort(sorted.begin(), sorted.end());
    for (const std::string& path : sorted) {
        if (const auto device = findRow(design.free->devices, path); device != design.free->devices.end())
            taken.devices.push_back(copyOf(*device, path));
        else if (const auto instance = findRow(design.free->instances, path); instance != design.free->instances.end()) {
            taken.instances.push_back(copyOf(*instance, path));
            takeBlocks(design, instance->block, part);
        }
    }
    for (const std::string& path : sorted)
        if (const auto callout = calloutAt(design, path)) part.callouts.push_back(design.callouts[*callout]);
    if (taken.devices.empty() && taken.instances.empty() && part.callouts.empty())
        return Error::unbuildable(paths.empty()
                                      ? "Nothing is selected."
                                      : "Recipe elements cannot be copied. Increase a count, or drag another element from the palette.");
    const auto isTaken = [&](const std::string& port) { return std::binary_search(sorted.begin(), sorted.end(), elementOf(port)); };
    for (const FreeLink& link : design.free->links)
        if (isTaken(link.a) && isTaken(link.b)) taken.links.push_back(link);
    part.free = shared(std::move(taken));
    return DesignPointer(std::make_shared<const Design>(std::move(part)));
}

Result<Edit> pasteElements(const Design& design, const Design& part, Point by) {
    const std::size_t count = part.free->devices.size() + part.free->instances.size() + part.callouts.size();
    if (count == 0) return Error::unbuildable("The clipboard is empty.");
    Design next = design;
    for (const auto& [name, block] : part.blocks)
        if (const auto [own, fresh] = next.blocks.emplace(name, block); !fresh && own->second != block)
            return Error::unbuildable(
                fmt::format("The block \"{}\" of this design differs from the copied one. Copy and paste within the same design.", name));
    Block free = *design.free;
    std::map<std::string, std::string, std::less<>> renamed;
    insertRows(part.free->devices, &Block::devices, free, design.recipe.has_value(), by, renamed);
    insertRows(part.free->instances, &Block::instances, free, design.recipe.has_value(), by, renamed);
    const auto moved = [&](const std::string& port) {
        const std::string_view element = elementOf(port);
        return renamed.find(element)->second + port.substr(element.size());
    };
    for (const FreeLink& link : part.free->links) free.links.push_back({moved(link.a), moved(link.b)});
    next.free = shared(std::move(free));
    // About what was copied with it, or what it was about before.
    if (next.callouts.size() + part.callouts.size() > mostCallouts)
        return Error::unbuildable(fmt::format("A design can have at most {} callouts.", mostCallouts));
    for (Callout callout : part.callouts) {
        bool alone = true;
        for (std::string& path : callout.of) {
            const std::string_view element = elementOf(path);
            const auto own = renamed.find(element);
            alone = alone && own == renamed.end();
            if (own != renamed.end()) path = own->second + path.substr(element.size());
        }
        if (alone) callout.at = {callout.at.x + by.x, callout.at.y + by.y};
        next.callouts.push_back(std::move(callout));
    }
    return Edit{std::make_shared<const Design>(std::move(next)),
                count == 1 ? fmt::format("Paste {}", renamed.empty() ? calloutPath(next.callouts.size() - 1) : renamed.begin()->second)
                           : fmt::format("Paste {} elements", count)};
}

} // namespace railyard
