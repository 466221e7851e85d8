// Racks to rows: blocks of racks one after the other, a row as long as keeps the hall square.
#include "core/floor/rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

// 21.6 m, not 21.599999999999998.
double toMicrometre(double metres) { return std::round(metres * 1e6) / 1e6; }

struct Pitch {
    double rack = 0.6, row = 2.4; // metres from rack to rack, from row to row
};

Pitch pitchOf(const Floor& floor) {
    double width = 0, depth = 0;
    for (const Rack& rack : floor.racks) {
        width = std::max(width, rack.part ? rack.part->as<RackPart>()->width : 0.6);
        depth = std::max(depth, rack.part ? rack.part->as<RackPart>()->depth : 1.2);
    }
    return {width, depth + floor.plan.aisle.value()};
}

// As square as whole blocks of servers allow.
std::uint32_t rowLength(const std::vector<RackBlock>& blocks, const Floor& floor, const Pitch& pitch) {
    if (floor.plan.rowRacks > 0) return static_cast<std::uint32_t>(floor.plan.rowRacks);
    const double square = std::sqrt(static_cast<double>(floor.racks.size()) * pitch.row / pitch.rack);
    const auto block = std::find_if(blocks.begin(), blocks.end(), [](const RackBlock& b) { return !b.switchesOnly; });
    const double unit = block == blocks.end() ? 1 : block->count;
    if (unit > 2 * square) return static_cast<std::uint32_t>(std::ceil(square));
    return static_cast<std::uint32_t>(std::max(1.0, std::round(square / unit)) * unit);
}

// Rows are lettered: A ... Z, AA ...
std::string rowLetters(int row) {
    std::string letters;
    for (; row > 0; row = (row - 1) / 26) letters.insert(letters.begin(), static_cast<char>('A' + (row - 1) % 26));
    return letters;
}

class RowFiller {
public:
    RowFiller(Floor& floor, std::uint32_t length) : m_floor(floor), m_length(length) {}

    void add(const RackBlock& block) {
        if (block.switchesOnly && block.count > std::max(1U, m_length / 4)) return addNetworkRow(block);
        const bool mayOverhang = block.switchesOnly && m_used > 0;
        if (m_used > 0 && !mayOverhang && m_used + block.count > m_length) startRow();
        for (const auto r : inOrder(block)) {
            if (m_used >= m_length && !mayOverhang) startRow();
            put(r, ++m_used);
        }
    }

private:
    // Leaf racks amid their servers: in the middle of the block, or of its middle row where it takes several.
    std::vector<std::uint32_t> inOrder(const RackBlock& block) const {
        const auto servers = block.count - block.leafRacks;
        std::uint32_t before = (servers + 1) / 2;
        if (block.count > m_length) {
            const auto rows = (block.count + m_length - 1) / m_length, spare = m_length - std::min(m_length, block.leafRacks);
            before = std::min(servers, (rows - 1) / 2 * m_length + spare / 2);
        }
        if (m_floor.plan.leafRacks == LeafRacks::End) before = 0;
        std::vector<std::uint32_t> order;
        for (std::uint32_t r = 0; r <= servers; ++r) {
            if (r == before)
                for (std::uint32_t leaf = 0; leaf < block.leafRacks; ++leaf) order.push_back(block.first + servers + leaf);
            if (r < servers) order.push_back(block.first + r);
        }
        return order;
    }
    void startRow() {
        ++m_row;
        m_used = 0;
    }
    void put(std::uint32_t rack, std::uint32_t position) { m_floor.racks[rack].spot = {m_row, static_cast<int>(position)}; }
    // A row of switches alone stands in the middle.
    void addNetworkRow(const RackBlock& block) {
        if (m_used > 0) startRow();
        const auto before = block.count < m_length ? (m_length - block.count) / 2 : 0;
        std::uint32_t at = before;
        for (std::uint32_t r = block.first; r < block.first + block.count; ++r) {
            if (at >= m_length) startRow(), at = 0;
            put(r, ++at);
        }
        startRow();
    }

    Floor& m_floor;
    std::uint32_t m_length;
    int m_row = 1;
    std::uint32_t m_used = 0; // racks in the row
};

} // namespace

void setSpot(Floor& floor, Rack& rack) {
    const double rackPitch = floor.rackPitch.value(), rowPitch = floor.rowPitch.value(), aisle = floor.plan.aisle.value();
    rack.x = toMicrometre((rack.spot.position - 0.5) * rackPitch);
    rack.y = toMicrometre((rack.spot.row - 1) * rowPitch + (rowPitch - aisle) / 2);
    rack.label = fmt::format("{}{:02}", rowLetters(rack.spot.row), rack.spot.position);
    const bool isOdd = rack.spot.position % 2 == 1;
    const auto own = floor.plan.feedsOf.find(rack.name);
    rack.feeds = own != floor.plan.feedsOf.end()                   ? own->second
                 : floor.plan.feeds == PowerFeeds::Redundant       ? RackFeeds::Both
                 : floor.plan.feeds == PowerFeeds::Single || isOdd ? RackFeeds::A
                                                                   : RackFeeds::B;
    floor.rows = std::max(floor.rows, rack.spot.row);
    floor.width = std::max(floor.width, Metres(toMicrometre(rack.spot.position * rackPitch)));
    floor.depth = Metres(toMicrometre(floor.rows * rowPitch - aisle));
}

void placeRacks(const std::vector<RackBlock>& blocks, Floor& floor) {
    if (floor.racks.empty()) return;
    const Pitch pitch = pitchOf(floor);
    floor.rackPitch = Metres(pitch.rack);
    floor.rowPitch = Metres(pitch.row);
    RowFiller filler(floor, rowLength(blocks, floor, pitch));
    for (const RackBlock& block : blocks) filler.add(block);
    for (Rack& rack : floor.racks) {
        if (const auto moved = floor.plan.moved.find(rack.name); moved != floor.plan.moved.end())
            rack.spot = moved->second, rack.moved = true;
        setSpot(floor, rack);
    }
}

} // namespace railyard
