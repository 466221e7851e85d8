#include "core/design/size.h"

#include "core/design/own_blocks.h"

#include <algorithm>

namespace railyard {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 40;

class Counter {
public:
    Counter(const std::map<std::string, BlockPointer>& blocks, int perInstance) : m_blocks(blocks), m_perInstance(perInstance) {}

    std::int64_t of(const Block& block) {
        std::int64_t sum = 0;
        for (const DeviceRow& row : block.devices) sum = std::min(most, sum + row.count);
        for (const Instance& row : block.instances)
            sum = std::min(most, sum + std::min(most / std::max(1, row.count), ofName(row.block) + m_perInstance) * row.count);
        return sum;
    }

private:
    std::int64_t ofName(const std::string& name) {
        const auto known = m_known.find(name);
        if (known != m_known.end()) return known->second;
        m_known[name] = 0; // a block inside itself counts once
        const auto block = m_blocks.find(name);
        return m_known[name] = block == m_blocks.end() ? 0 : of(*block->second);
    }

    const std::map<std::string, BlockPointer>& m_blocks;
    std::int64_t m_perInstance;
    std::map<std::string, std::int64_t> m_known;
};

std::int64_t countIn(const Design& design, int perInstance) {
    const auto blocks = blocksInForce(design);
    Counter counter(blocks, perInstance);
    const auto root = blocks.find("root");
    return (root == blocks.end() ? 0 : counter.of(*root->second)) + counter.of(*design.free);
}

} // namespace

std::int64_t deviceCount(const Design& design) { return countIn(design, 0); }
std::int64_t elementCount(const Design& design) { return countIn(design, 1); }

namespace {

// Heap memory, with the overhead of an allocation.
std::size_t heap(const std::string& text) { return text.capacity() > 15 ? text.capacity() + 17 : 0; }
template <class Element>
std::size_t heap(const std::vector<Element>& list) {
    return list.capacity() * sizeof(Element) + 16;
}
constexpr std::size_t node = 48; // of a map

std::size_t bytesOf(const Block& block) {
    std::size_t bytes =
        sizeof(Block) + heap(block.name) + heap(block.devices) + heap(block.instances) + heap(block.wiring) + heap(block.links);
    for (const DeviceRow& row : block.devices) bytes += heap(row.slug) + heap(row.part) + heap(row.ports);
    for (const Instance& row : block.instances) bytes += heap(row.slug) + heap(row.block) + heap(row.part);
    for (const WiringRule& rule : block.wiring) bytes += heap(rule.id) + heap(rule.lower) + heap(rule.upper);
    for (const FreeLink& link : block.links) bytes += heap(link.a) + heap(link.b);
    return bytes;
}

std::size_t bytesOf(const Callout& callout) {
    std::size_t bytes = sizeof(Callout) + heap(callout.text) + heap(callout.of);
    for (const std::string& path : callout.of) bytes += heap(path);
    return bytes;
}

} // namespace

std::size_t ownBytes(const Design& design, const Design& other) {
    std::size_t bytes = sizeof(Design) + heap(design.name) + design.unknown.text().size();
    if (design.free && design.free != other.free) bytes += bytesOf(*design.free);
    for (const auto& [name, block] : design.blocks) {
        bytes += node + sizeof(name) + sizeof(block) + heap(name);
        const auto same = other.blocks.find(name);
        if (block && (same == other.blocks.end() || same->second != block)) bytes += bytesOf(*block);
    }
    for (const auto& [path, change] : design.overrides)
        bytes += node + sizeof(path) + sizeof(change) + heap(path) + heap(change.part) + heap(change.label) + heap(change.rack) +
                 heap(change.block);
    if (design.floor) bytes += sizeof(FloorPlan) + design.floor->moved.size() * 128;
    for (const Approval& each : design.approvals) bytes += sizeof(each) + heap(each.code) + heap(each.subject) + heap(each.reason);
    for (const SavedView& each : design.views) bytes += sizeof(each) + heap(each.name);
    for (const Target& each : design.targets) bytes += sizeof(each) + heap(each.figure);
    for (const Callout& each : design.callouts) bytes += bytesOf(each);
    return bytes;
}

} // namespace railyard
