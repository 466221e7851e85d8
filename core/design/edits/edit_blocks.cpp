// Blocks in place: one element's made its own, what a block holds changed for one, some or all.
#include "core/design/edits/edit_blocks.h"

#include "core/design/edits/edit_elements.h"
#include "core/design/model/block_rows.h"
#include "core/design/model/own_blocks.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <type_traits>

namespace railyard {
namespace {

std::string freshName(const Design& design) { return freshBlockName(design, ownBlockPrefix); }

std::string listedBlocks(const std::vector<std::string>& paths) {
    return paths.size() == 1 ? paths.front() : fmt::format("{} blocks", paths.size());
}

using PathsByBlock = std::map<std::string, std::vector<std::string>>;

Result<PathsByBlock> byBlock(const Design& design, const std::vector<std::string>& paths) {
    if (paths.empty()) return Error::unbuildable("Nothing is selected.");
    if (paths.size() > mostOwnBlocks)
        return Error::unbuildable(fmt::format("{} blocks would be changed individually; the maximum is {}.", paths.size(), mostOwnBlocks));
    PathsByBlock groups;
    for (const std::string& path : paths) {
        if (path.find('/') != std::string::npos && isHandDrawn(design, path))
            return Error::unbuildable(fmt::format("{} is inside a group. Change the whole group, or dissolve it first.", path));
        const std::string name = blockNameAt(design, path);
        if (!design.blocks.contains(name)) return Error::unbuildable(fmt::format("{} is not a block of the recipe.", path));
        groups[name].push_back(path);
    }
    return groups;
}

// Rows of one slug: of several planes alike in number, else the last gives or takes first. False where there is none.
template <class Row>
Result<bool> setCount(std::vector<Row>& rows, const BlockChange& change) {
    std::vector<Row*> own;
    for (Row& row : rows)
        if (row.slug == change.row) own.push_back(&row);
    if (own.empty()) return false;
    std::sort(own.begin(), own.end(), [](const Row* a, const Row* b) { return a->first < b->first; });
    bool byPlane = false;
    const auto planes = static_cast<int>(own.size());
    if constexpr (std::is_same_v<Row, DeviceRow>) { // a row for each plane; what was grouped may have many
        std::set<int> distinct;
        for (const Row* row : own) distinct.insert(row->plane);
        byPlane = planes > 1 && distinct.size() == own.size();
    }
    if (byPlane && change.count % planes != 0)
        return Error::unbuildable(fmt::format("{} × {} cannot be divided evenly among {} planes.", change.count, change.row, planes));
    int left = change.count, next = own.front()->first;
    for (Row* row : own) {
        row->count = byPlane ? change.count / planes : row == own.back() ? left : std::min(left, row->count);
        if (byPlane) row->first = next;
        left -= row->count;
        next += row->count;
    }
    return true;
}

void giveBlock(Design& design, const std::string& path, const std::string& block) {
    Block free = *design.free;
    Instance* byHand = path.find('/') == std::string::npos ? singleRow(free.instances, path) : nullptr;
    if (!byHand) {
        design.overrides[path].block = block;
        return;
    }
    byHand->block = block; // told in its own row
    design.free = shared(std::move(free));
}

} // namespace

Result<Edit> makeUnique(const Design& design, const std::vector<std::string>& paths) {
    const auto groups = byBlock(design, paths);
    if (!groups) return groups.errors();
    Design next = design;
    for (const auto& [name, members] : *groups)
        for (const std::string& path : members) {
            const std::string own = freshName(next);
            next.blocks[own] = design.blocks.at(name);
            giveBlock(next, path, own);
        }
    dropUnusedBlocks(next);
    return Edit{std::make_shared<const Design>(std::move(next)), fmt::format("Make {} unique", listedBlocks(paths))};
}

Result<Edit> changeBlocks(const Design& design, const std::vector<std::string>& paths, const BlockChange& change) {
    constexpr int most = 4096; // rows of one block; more is a slip of the key
    if (change.count < 0 || change.count > most)
        return Error::unbuildable(fmt::format("{} × {}: the count must be from 0 to {}.", change.count, change.row, most));
    const auto groups = byBlock(design, paths);
    if (!groups) return groups.errors();
    Design next = design;
    for (const auto& [name, members] : *groups) {
        Block block = *design.blocks.at(name);
        const auto devices = setCount(block.devices, change), inner = setCount(block.instances, change);
        if (!devices) return devices.errors();
        if (!*devices && !*inner) return Error::unbuildable(fmt::format("{} contains no {}.", members.front(), change.row));
        const std::string own = freshName(next);
        next.blocks[own] = shared(std::move(block));
        for (const std::string& path : members) giveBlock(next, path, own);
    }
    dropUnusedBlocks(next);
    return Edit{std::make_shared<const Design>(std::move(next)),
                fmt::format("Set {} × {} in {}", change.count, change.row, listedBlocks(paths))};
}

} // namespace railyard
