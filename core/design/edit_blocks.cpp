// Blocks in place: one element's made its own, what a block holds changed for one, some or all.
#include "core/design/edit.h"
#include "core/design/own_blocks.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

std::string freshName(const Design& design) {
    for (int number = 1;; ++number)
        if (std::string name = fmt::format("{}{}", ownBlockPrefix, number); !design.blocks.contains(name)) return name;
}

std::string listed(const std::vector<std::string>& paths) {
    return paths.size() == 1 ? paths.front() : fmt::format("{} blocks", paths.size());
}

using PathsByBlock = std::map<std::string, std::vector<std::string>>;

Result<PathsByBlock> byBlock(const Design& design, const std::vector<std::string>& paths) {
    if (paths.empty()) return Error::unbuildable("Nothing is selected.");
    PathsByBlock groups;
    for (const std::string& path : paths) {
        const std::string name = blockNameAt(design, path);
        if (!design.blocks.contains(name)) return Error::unbuildable(fmt::format("{} is no block of the recipe.", path));
        groups[name].push_back(path);
    }
    return groups;
}

// Sets the count of a slug's rows together; the last row gives or takes first.
template <class Row>
bool setCount(std::vector<Row>& rows, const BlockChange& change) {
    int others = 0;
    Row* last = nullptr;
    for (Row& row : rows) {
        if (row.slug != change.row) continue;
        others += last ? last->count : 0;
        last = &row;
    }
    if (!last) return false;
    for (Row& row : rows) {
        if (row.slug != change.row || &row == last) continue;
        const int taken = std::clamp(others - change.count, 0, row.count);
        row.count -= taken;
        others -= taken;
    }
    last->count = change.count - others;
    return true;
}

} // namespace

Result<Edit> makeUnique(const Design& design, const std::vector<std::string>& paths) {
    const auto groups = byBlock(design, paths);
    if (!groups) return groups.errors();
    Design next = design;
    for (const auto& [name, members] : *groups)
        for (const std::string& path : members) {
            Override& change = next.overrides[path];
            change.block = freshName(next);
            next.blocks[change.block] = design.blocks.at(name);
        }
    dropUnusedBlocks(next);
    return Edit{std::make_shared<const Design>(std::move(next)), fmt::format("Make {} unique", listed(paths))};
}

Result<Edit> changeBlocks(const Design& design, const std::vector<std::string>& paths, const BlockChange& change) {
    constexpr int most = 4096; // rows of one block; more is a slip of the key
    if (change.count < 0 || change.count > most)
        return Error::unbuildable(fmt::format("{} of {} is not between 0 and {}.", change.count, change.row, most));
    const auto groups = byBlock(design, paths);
    if (!groups) return groups.errors();
    Design next = design;
    for (const auto& [name, members] : *groups) {
        Block block = *design.blocks.at(name);
        if (!setCount(block.devices, change) && !setCount(block.instances, change))
            return Error::unbuildable(fmt::format("{} holds no {}.", members.front(), change.row));
        const std::string own = freshName(next);
        next.blocks[own] = std::make_shared<const Block>(std::move(block));
        for (const std::string& path : members) next.overrides[path].block = own;
    }
    dropUnusedBlocks(next);
    return Edit{std::make_shared<const Design>(std::move(next)), fmt::format("{} × {} in {}", change.count, change.row, listed(paths))};
}

} // namespace railyard
