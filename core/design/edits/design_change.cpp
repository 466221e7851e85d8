#include "core/design/edits/design_change.h"

#include <algorithm>

namespace railyard {
namespace {

// One pass over both lists, correct for any pair. Where they differ, it looks for the nearest equal rows. If there are none nearby,
// the longer remainder gives up a row, which finds long insertions and deletions.
template <class Row>
class Comparison {
public:
    Comparison(const std::vector<Row>& before, const std::vector<Row>& after) : m_before(before), m_after(after) {}

    RowsChange<Row> pieces() {
        RowsChange<Row> change;
        bool isOpen = false;
        while (m_b < m_before.size() || m_a < m_after.size()) {
            if (isSame(0, 0)) {
                ++m_b, ++m_a;
                isOpen = false;
                continue;
            }
            if (!std::exchange(isOpen, true)) change.pieces.push_back({m_b, m_a, {}, {}});
            for (auto [removed, added] = unequal(); removed + added > 0;) {
                if (removed > 0) --removed, change.pieces.back().removed.push_back(m_before[m_b++]);
                if (added > 0) --added, change.pieces.back().added.push_back(m_after[m_a++]);
            }
        }
        for (auto& piece : change.pieces) piece.removed.shrink_to_fit(), piece.added.shrink_to_fit();
        change.pieces.shrink_to_fit();
        return change;
    }

private:
    bool isSame(std::size_t inBefore, std::size_t inAfter) const {
        return m_b + inBefore < m_before.size() && m_a + inAfter < m_after.size() && m_before[m_b + inBefore] == m_after[m_a + inAfter];
    }
    // How many rows of each list to give up.
    std::pair<std::size_t, std::size_t> unequal() {
        constexpr std::size_t farthest = 64;
        for (std::size_t distance = 1; distance <= farthest; ++distance)
            for (std::size_t removed = 0; removed <= distance && m_comparisons > 0; ++removed, --m_comparisons)
                if (isSame(removed, distance - removed)) return {removed, distance - removed};
        const std::size_t restBefore = m_before.size() - m_b, restAfter = m_after.size() - m_a;
        return {restBefore >= restAfter ? 1 : 0, restAfter >= restBefore ? 1 : 0};
    }

    const std::vector<Row>&m_before, &m_after;
    std::size_t m_b = 0, m_a = 0;
    int m_comparisons = 200'000; // left for looking ahead, so that lists with nothing in common take no longer than a few milliseconds
};

template <class Row>
RowsChange<Row> rowsChange(const std::vector<Row>& before, const std::vector<Row>& after) {
    return Comparison<Row>(before, after).pieces();
}

template <class Row>
std::vector<Row> applied(const RowsChange<Row>& change, const std::vector<Row>& to, bool isUndo) {
    std::vector<Row> rows;
    std::size_t next = 0;
    const auto copyUntil = [&](std::size_t end) {
        rows.insert(rows.end(), to.begin() + static_cast<std::ptrdiff_t>(next), to.begin() + static_cast<std::ptrdiff_t>(end));
    };
    for (const auto& piece : change.pieces) {
        const std::vector<Row>&dropped = isUndo ? piece.added : piece.removed, &inserted = isUndo ? piece.removed : piece.added;
        const std::size_t at = isUndo ? piece.after : piece.before;
        copyUntil(at);
        rows.insert(rows.end(), inserted.begin(), inserted.end());
        next = at + dropped.size();
    }
    copyUntil(to.size());
    return rows;
}

template <class Map>
auto entriesChange(const Map& before, const Map& after) {
    EntriesChange<typename Map::mapped_type> change;
    const auto less = before.key_comp();
    auto b = before.begin(), a = after.begin();
    while (b != before.end() || a != after.end()) {
        if (a == after.end() || (b != before.end() && less(b->first, a->first))) {
            change.entries.push_back({b->first, b->second, {}});
            ++b;
        } else if (b == before.end() || less(a->first, b->first)) {
            change.entries.push_back({a->first, {}, a->second});
            ++a;
        } else {
            if (!(b->second == a->second)) change.entries.push_back({b->first, b->second, a->second});
            ++b, ++a;
        }
    }
    change.entries.shrink_to_fit();
    return change;
}

template <class Map>
void apply(const EntriesChange<typename Map::mapped_type>& change, Map& to, bool isUndo) {
    for (const auto& entry : change.entries) {
        const auto& value = isUndo ? entry.before : entry.after;
        if (value)
            to.insert_or_assign(entry.key, *value);
        else
            to.erase(entry.key);
    }
}

BlockPointer withoutRows(const Block& block) { return shared({block.name, {}, {}, {}, {}, block.unknown}); }

DesignPointer withoutParts(const Design& design) {
    Design rest = design;
    rest.blocks.clear();
    rest.free.reset();
    rest.overrides.clear();
    if (rest.floor) rest.floor->moved.clear();
    return std::make_shared<const Design>(std::move(rest));
}

const std::map<std::string, RackSpot, NaturalLess>& movedRacks(const Design& design) {
    static const std::map<std::string, RackSpot, NaturalLess> none;
    return design.floor ? design.floor->moved : none;
}

// Heap memory, with the overhead of an allocation.
std::size_t heap(const std::string& text) { return text.capacity() > 15 ? text.capacity() + 17 : 0; }
template <class Element>
std::size_t heap(const std::vector<Element>& list) {
    return list.capacity() == 0 ? 0 : list.capacity() * sizeof(Element) + 16;
}
constexpr std::size_t node = 48; // of a map

std::size_t heapOf(const DeviceRow& row) { return heap(row.slug) + heap(row.part) + heap(row.ports); }
std::size_t heapOf(const Instance& row) { return heap(row.slug) + heap(row.block) + heap(row.part); }
std::size_t heapOf(const WiringRule& rule) { return heap(rule.id) + heap(rule.lower) + heap(rule.upper); }
std::size_t heapOf(const FreeLink& link) { return heap(link.a) + heap(link.b); }
std::size_t heapOf(const Override& change) { return heap(change.part) + heap(change.label) + heap(change.rack) + heap(change.block); }
std::size_t heapOf(const RackSpot&) { return 0; }

template <class Row>
std::size_t heapOf(const std::vector<Row>& rows) {
    std::size_t bytes = heap(rows);
    for (const Row& row : rows) bytes += heapOf(row);
    return bytes;
}

std::size_t heapOf(const Block& block) {
    return sizeof(Block) + heap(block.name) + heapOf(block.devices) + heapOf(block.instances) + heapOf(block.wiring) + heapOf(block.links);
}

template <class Row>
std::size_t bytesOf(const RowsChange<Row>& change) {
    std::size_t bytes = heap(change.pieces);
    for (const auto& piece : change.pieces) bytes += heapOf(piece.removed) + heapOf(piece.added);
    return bytes;
}

template <class Value>
std::size_t bytesOf(const EntriesChange<Value>& change) {
    std::size_t bytes = heap(change.entries);
    for (const auto& entry : change.entries)
        bytes += heap(entry.key) + (entry.before ? heapOf(*entry.before) : 0) + (entry.after ? heapOf(*entry.after) : 0);
    return bytes;
}

// Logos are shared by all designs that show them, so they are not counted.
std::size_t bytesOf(const Callout& callout) {
    std::size_t bytes = sizeof(Callout) + heap(callout.text) + heap(callout.of);
    for (const std::string& path : callout.of) bytes += heap(path);
    return bytes;
}

std::size_t bytesOf(const std::map<std::string, std::string>& texts) {
    std::size_t bytes = 0;
    for (const auto& [key, value] : texts) bytes += node + sizeof(key) + sizeof(value) + heap(key) + heap(value);
    return bytes;
}

std::size_t restBytes(const Design& design) {
    std::size_t bytes = sizeof(Design) + heap(design.name);
    if (design.recipe) bytes += heap(design.recipe->name) + bytesOf(design.recipe->parameters);
    for (const AuxiliaryNetwork& side : design.networks)
        bytes += sizeof(side) + heap(side.name) + heap(side.call.name) + bytesOf(side.call.parameters);
    for (const Approval& each : design.approvals) bytes += sizeof(each) + heap(each.code) + heap(each.subject) + heap(each.reason);
    for (const SavedView& each : design.views) bytes += sizeof(each) + heap(each.name);
    for (const Target& each : design.targets) bytes += sizeof(each) + heap(each.figure);
    for (const Callout& each : design.callouts) bytes += bytesOf(each);
    for (const auto& options : {design.training, design.reliability, design.site, design.ocs})
        if (options) bytes += bytesOf(options->options);
    for (const std::string& part : design.ownParts) bytes += node + sizeof(part) + heap(part);
    return bytes;
}

} // namespace

DesignChange::BlockChange DesignChange::changeOf(std::string key, const BlockPointer& before, const BlockPointer& after) {
    if (!before || !after) return {std::move(key), before, after, {}, {}, {}, {}};
    return {std::move(key),
            withoutRows(*before),
            withoutRows(*after),
            rowsChange(before->devices, after->devices),
            rowsChange(before->instances, after->instances),
            rowsChange(before->wiring, after->wiring),
            rowsChange(before->links, after->links)};
}

BlockPointer DesignChange::applied(const BlockChange& change, const BlockPointer& to, bool isUndo) {
    const BlockPointer& other = isUndo ? change.before : change.after;
    if (!change.isEdit()) return other;
    Block block = *other;
    block.devices = railyard::applied(change.devices, to->devices, isUndo);
    block.instances = railyard::applied(change.instances, to->instances, isUndo);
    block.wiring = railyard::applied(change.wiring, to->wiring, isUndo);
    block.links = railyard::applied(change.links, to->links, isUndo);
    return shared(std::move(block));
}

std::size_t DesignChange::bytesOf(const BlockChange& change) {
    return sizeof change + heap(change.key) + (change.before ? heapOf(*change.before) : 0) + (change.after ? heapOf(*change.after) : 0) +
           railyard::bytesOf(change.devices) + railyard::bytesOf(change.instances) + railyard::bytesOf(change.wiring) +
           railyard::bytesOf(change.links);
}

DesignChange::DesignChange(const Design& before, const Design& after, const DesignChange* previous)
    : m_before(previous ? previous->m_after : withoutParts(before)),
      m_after(withoutParts(after)),
      m_overrides(entriesChange(before.overrides, after.overrides)),
      m_moved(entriesChange(movedRacks(before), movedRacks(after))) {
    for (const auto& [name, block] : before.blocks) {
        const auto same = after.blocks.find(name);
        const BlockPointer other = same == after.blocks.end() ? BlockPointer() : same->second;
        if (other != block) m_blocks.push_back(changeOf(name, block, other));
    }
    for (const auto& [name, block] : after.blocks)
        if (!before.blocks.contains(name)) m_blocks.push_back(changeOf(name, {}, block));
    if (before.free != after.free) m_free = changeOf({}, before.free, after.free);

    m_bytes = sizeof *this + (previous ? 0 : restBytes(*m_before)) + restBytes(*m_after) + railyard::bytesOf(m_overrides) +
              railyard::bytesOf(m_moved) + (m_free ? bytesOf(*m_free) : 0);
    for (const BlockChange& change : m_blocks) m_bytes += bytesOf(change);
}

DesignPointer DesignChange::applied(const Design& to, bool isUndo) const {
    Design design = isUndo ? *m_before : *m_after;
    design.blocks = to.blocks;
    for (const BlockChange& change : m_blocks) {
        const auto found = to.blocks.find(change.key);
        BlockPointer block = applied(change, found == to.blocks.end() ? BlockPointer() : found->second, isUndo);
        if (block)
            design.blocks[change.key] = std::move(block);
        else
            design.blocks.erase(change.key);
    }
    design.free = m_free ? applied(*m_free, to.free, isUndo) : to.free;
    design.overrides = to.overrides;
    apply(m_overrides, design.overrides, isUndo);
    if (design.floor) {
        design.floor->moved = movedRacks(to);
        apply(m_moved, design.floor->moved, isUndo);
    }
    return std::make_shared<const Design>(std::move(design));
}

DesignPointer DesignChange::undone(const Design& after) const { return applied(after, true); }
DesignPointer DesignChange::redone(const Design& before) const { return applied(before, false); }

} // namespace railyard
