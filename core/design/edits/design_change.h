// The difference between two successive designs, in both directions. It holds only the rows, overrides and placed racks that
// differ, so that an undo history of a large drawing costs what its edits changed and not a copy of the drawing for each edit.
#pragma once

#include "core/design/model/design.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace railyard {

// Rows that were replaced by others: removed at one place of the list before and added at one place of the list after.
template <class Row>
struct RowsChange {
    struct Piece {
        std::size_t before = 0, after = 0; // where the rows start in each list
        std::vector<Row> removed, added;
    };
    std::vector<Piece> pieces; // by position
};

template <class Value>
struct EntriesChange {
    struct Entry {
        std::string key;
        std::optional<Value> before, after; // empty: the key is absent
    };
    std::vector<Entry> entries;
};

class DesignChange {
public:
    // `previous` is the change that led to `before`, if there is one; the two share what they have in common.
    DesignChange(const Design& before, const Design& after, const DesignChange* previous = nullptr);

    // Each accepts only the design that the change leads to or starts from, respectively, and returns the other one.
    DesignPointer undone(const Design& after) const;
    DesignPointer redone(const Design& before) const;

    std::size_t bytes() const { return m_bytes; } // memory of the change; approximate

private:
    // A block that both designs contain, under the same name.
    struct BlockChange {
        std::string key;
        BlockPointer before, after; // without their rows, or whole if only one of them exists
        RowsChange<DeviceRow> devices;
        RowsChange<Instance> instances;
        RowsChange<WiringRule> wiring;
        RowsChange<FreeLink> links;
        bool isEdit() const { return before && after; }
    };
    static BlockChange changeOf(std::string key, const BlockPointer& before, const BlockPointer& after);
    static BlockPointer applied(const BlockChange& change, const BlockPointer& to, bool isUndo);
    static std::size_t bytesOf(const BlockChange& change);
    DesignPointer applied(const Design& to, bool isUndo) const;

    DesignPointer m_before, m_after; // without what is listed below
    std::vector<BlockChange> m_blocks;
    std::optional<BlockChange> m_free;
    EntriesChange<Override> m_overrides;
    EntriesChange<RackSpot> m_moved;
    std::size_t m_bytes = 0;
};

} // namespace railyard
