// Finds the row of a block that contains an element: "leaf[4]" is in the row leaf[1-8].
#pragma once

#include "core/design/model/block.h"
#include "core/design/model/path.h"

#include <algorithm>

namespace railyard {

template <class Row>
bool isInRow(const Row& row, const std::pair<std::string, int>& element) {
    return row.slug == element.first && element.second >= row.first && element.second < row.first + row.count;
}

// The row of an element, or end() if no row contains it.
template <class Rows>
auto findRow(Rows& rows, std::string_view element) {
    const auto segment = parseSegment(element);
    return std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return segment && isInRow(row, *segment); });
}

// Removes an element by splitting its row; the other elements of the row are kept.
template <class Row>
std::optional<Row> takeFromRow(std::vector<Row>& rows, std::string_view element) {
    const auto found = findRow(rows, element);
    if (found == rows.end()) return {};
    Row taken = *found, after = *found;
    taken.first = parseSegment(element)->second;
    taken.count = 1;
    after.first = taken.first + 1;
    after.count = found->first + found->count - after.first;
    found->count = taken.first - found->first;
    const auto at = found->count == 0 ? rows.erase(found) : found + 1;
    if (after.count > 0) rows.insert(at, after);
    return taken;
}

// The element as a separate row at the same position; null if no row contains it.
template <class Row>
Row* singleRow(std::vector<Row>& rows, std::string_view element) {
    const auto found = findRow(rows, element);
    if (found == rows.end()) return nullptr;
    if (found->count == 1) return &*found;
    const auto place = found - rows.begin() + (found->first == parseSegment(element)->second ? 0 : 1);
    Row own = *takeFromRow(rows, element);
    return &*rows.insert(rows.begin() + place, std::move(own));
}

// The first number that is not used by rows with this name.
inline int nextNumber(const Block& block, std::string_view slug) {
    int next = 1;
    for (const DeviceRow& row : block.devices)
        if (row.slug == slug) next = std::max(next, row.first + row.count);
    for (const Instance& row : block.instances)
        if (row.slug == slug) next = std::max(next, row.first + row.count);
    return next;
}

} // namespace railyard
