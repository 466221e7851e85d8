#include "core/design/model/own_blocks.h"

#include "core/design/model/block_rows.h"

#include <algorithm>
#include <set>

namespace railyard {
namespace {

std::size_t rowOf(const Block& block, const std::pair<std::string, int>& segment) {
    const auto found =
        std::find_if(block.instances.begin(), block.instances.end(), [&](const Instance& row) { return isInRow(row, segment); });
    return static_cast<std::size_t>(found - block.instances.begin());
}

// Blocks under change; a block of the design is copied when it is first touched.
class Placer {
public:
    explicit Placer(const Design& design) : m_blocks(design.blocks) {}

    void place(std::string_view path, const std::string& own) { placeIn("root", "root", path, 0, own); }
    std::map<std::string, BlockPointer> take() {
        for (auto& [name, block] : m_changed) m_blocks[name] = shared(std::move(block));
        return std::move(m_blocks);
    }

private:
    // In a copy of `block` called `copyName`. False where the path leads to nothing.
    bool placeIn(const std::string& block, const std::string& copyName, std::string_view path, std::size_t from, const std::string& own) {
        const std::size_t slash = path.find('/', from);
        const auto segment = parseSegment(path.substr(from, slash - from));
        const Block* source = find(block);
        if (!segment || !source || !m_blocks.contains(own)) return false;
        const std::size_t row = rowOf(*source, *segment);
        if (row == source->instances.size()) return false;
        const std::string inner = source->instances[row].block,
                          innerCopy = std::string(placedBlockPrefix) + std::string(path.substr(0, slash));
        const bool isLast = slash == std::string_view::npos;
        if (!isLast && !placeIn(inner, innerCopy, path, slash + 1, own)) return false;
        Block& copy = m_changed.try_emplace(copyName, *source).first->second;
        single(copy, rowOf(copy, *segment), segment->second).block = isLast ? own : innerCopy;
        return true;
    }

    const Block* find(const std::string& name) const {
        if (const auto changed = m_changed.find(name); changed != m_changed.end()) return &changed->second;
        const auto known = m_blocks.find(name);
        return known == m_blocks.end() ? nullptr : known->second.get();
    }
    // Makes one instance of a row a row by itself.
    static Instance& single(Block& block, std::size_t row, int index) {
        Instance before = block.instances[row], after = before;
        const int last = before.first + before.count - 1;
        block.instances[row].first = index;
        block.instances[row].count = 1;
        after.first = index + 1;
        after.count = last - index;
        before.count = index - before.first;
        const auto at = [&](std::size_t offset) { return block.instances.begin() + static_cast<std::ptrdiff_t>(row + offset); };
        if (after.count > 0) block.instances.insert(at(1), after);
        if (before.count == 0) return block.instances[row];
        block.instances.insert(at(0), before);
        return block.instances[row + 1];
    }

    std::map<std::string, BlockPointer> m_blocks;
    std::map<std::string, Block> m_changed;
};

} // namespace

std::map<std::string, BlockPointer> blocksInForce(const Design& design) {
    const bool any =
        std::any_of(design.overrides.begin(), design.overrides.end(), [](const auto& own) { return !own.second.block.empty(); });
    if (!any) return design.blocks;
    Placer placer(design); // an element stands before those inside it
    for (const auto& [path, change] : design.overrides)
        if (!change.block.empty()) placer.place(path, change.block);
    return placer.take();
}

std::string freshBlockName(const Design& design, std::string_view prefix) {
    for (int number = 1;; ++number)
        if (std::string name = std::string(prefix) + std::to_string(number); !design.blocks.contains(name)) return name;
}

namespace {

void tellAround(Block& block, const BlockSurroundings& around) {
    std::vector<DeviceRow> rows;
    std::size_t nic = 0;
    for (DeviceRow& row : block.devices) {
        if (row.rail == DeviceRow::Rail::Scope && around.rail > 0) row.rail = DeviceRow::Rail::None, row.railNumber = around.rail;
        if (row.plane == 0) row.plane = around.plane;
        if (row.kind != DeviceKind::Nic || around.nicRails.empty()) {
            rows.push_back(std::move(row));
            continue;
        }
        for (int i = 0; i < row.count; ++i, ++nic) { // each has a rail of its own
            DeviceRow own = row;
            own.first = row.first + i;
            own.count = 1;
            if (nic < around.nicRails.size()) own.rail = DeviceRow::Rail::None, own.railNumber = around.nicRails[nic];
            rows.push_back(std::move(own));
        }
    }
    block.devices = std::move(rows);
}

} // namespace

// A row for each server, so that each can have rails of its own.
static void separateServers(Block& block) {
    std::vector<Instance> rows;
    for (const Instance& row : block.instances)
        for (int i = 0; i < (row.role == Instance::Role::Server ? row.count : 1); ++i) {
            rows.push_back(row);
            if (row.role != Instance::Role::Server) continue;
            rows.back().first = row.first + i;
            rows.back().count = 1;
        }
    block.instances = std::move(rows);
}

std::size_t BlockCopies::nicsOf(const std::string& block) const {
    std::size_t nics = 0;
    if (const auto found = m_from.find(block); found != m_from.end())
        for (const DeviceRow& row : found->second->devices) nics += row.kind == DeviceKind::Nic ? static_cast<std::size_t>(row.count) : 0;
    return nics;
}

std::string BlockCopies::take(const std::string& block, const BlockSurroundings& around) {
    const auto known = m_taken.find({block, around});
    if (known != m_taken.end()) return known->second;
    const auto source = m_from.find(block);
    if (source == m_from.end()) return block;
    Block copy = *source->second;
    tellAround(copy, around);
    if (!around.nicRails.empty()) separateServers(copy);
    std::size_t nic = 0;
    for (Instance& row : copy.instances) {
        BlockSurroundings inner = around;
        if (row.role == Instance::Role::Rail) inner.rail = 0;
        if (row.role == Instance::Role::Plane) inner.plane = 0;
        if (row.role == Instance::Role::Server && !around.nicRails.empty()) { // its own part of the domain's
            const std::size_t last = std::min(nic + nicsOf(row.block), around.nicRails.size());
            inner.nicRails.assign(around.nicRails.begin() + static_cast<std::ptrdiff_t>(std::min(nic, last)),
                                  around.nicRails.begin() + static_cast<std::ptrdiff_t>(last));
            nic = last;
        }
        row.block = take(row.block, inner);
    }
    const std::string name = freshBlockName(m_into, ownBlockPrefix);
    copy.name = name;
    m_into.blocks[name] = shared(std::move(copy));
    return m_taken[{block, around}] = name;
}

std::string blockNameIn(const std::map<std::string, BlockPointer>& inForce, std::string_view path) {
    std::string name = "root";
    for (std::size_t from = 0; from < path.size();) {
        const std::size_t slash = std::min(path.find('/', from), path.size());
        const auto block = inForce.find(name);
        if (block == inForce.end()) return {};
        const auto row = findRow(block->second->instances, path.substr(from, slash - from));
        if (row == block->second->instances.end()) return {};
        name = row->block;
        from = slash + 1;
    }
    return name == "root" ? std::string() : name;
}

std::string blockNameAt(const Design& design, std::string_view path) {
    if (path.find('/') == std::string_view::npos) {
        const auto byHand = findRow(design.free->instances, path);
        if (byHand != design.free->instances.end()) return byHand->block;
    }
    std::string name = "root";
    for (std::size_t from = 0; from < path.size();) {
        const std::size_t slash = std::min(path.find('/', from), path.size());
        const auto segment = parseSegment(path.substr(from, slash - from));
        const auto block = design.blocks.find(name);
        if (!segment || block == design.blocks.end()) return {};
        const std::size_t row = rowOf(*block->second, *segment);
        if (row == block->second->instances.size()) return {};
        const auto own = design.overrides.find(std::string(path.substr(0, slash)));
        name = own != design.overrides.end() && !own->second.block.empty() ? own->second.block : block->second->instances[row].block;
        from = slash + 1;
    }
    return name == "root" ? std::string() : name;
}

void dropUnusedBlocks(Design& design) {
    std::set<std::string> used;
    for (const auto& [path, change] : design.overrides) used.insert(change.block);
    const auto look = [&](const Block& block) {
        for (const Instance& row : block.instances) used.insert(row.block);
    };
    for (const auto& [name, block] : design.blocks) look(*block);
    look(*design.free);
    std::erase_if(design.blocks, [&](const auto& block) { return block.first.starts_with(ownBlockPrefix) && !used.contains(block.first); });
}

void keepOwnBlocks(const Design& before, Design& after) {
    std::vector<std::string> wanted;
    for (const auto& [path, change] : after.overrides)
        if (!change.block.empty()) wanted.push_back(change.block);
    for (const Instance& row : after.free->instances) wanted.push_back(row.block);
    for (const auto& [name, block] : before.blocks)
        if (name.starts_with(groupBlockPrefix)) wanted.push_back(name);
    while (!wanted.empty()) {
        const auto block = before.blocks.find(wanted.back());
        wanted.pop_back();
        if (block == before.blocks.end() || !after.blocks.insert(*block).second) continue;
        for (const Instance& row : block->second->instances) wanted.push_back(row.block);
    }
}

} // namespace railyard
