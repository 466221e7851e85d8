#include "core/design/model/size.h"

#include "core/design/model/own_blocks.h"

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

} // namespace railyard
