// A dense matrix with names on both axes: the one form in which heat maps leave the core.
#pragma once

#include "core/base/result.h"
#include "core/collective/collective.h"
#include "core/design/recipe.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

struct HeatGrid {
    std::string title, xName, yName, valueName, unit; // "unit" as in JSON keys: s, fraction
    std::vector<double> x, y;
    std::vector<std::optional<double>> values; // row by row, y outer; nothing = does not exist
    std::vector<std::string> notes;            // parallel to values: algorithm or reason
    std::size_t at(std::size_t column, std::size_t row) const { return row * x.size() + column; }
};

// Collective time over message size (x) and servers (y). The design's own size is computed as drawn; the others are the
// same recipe elaborated anew.
Result<HeatGrid> collectiveTimeGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers);
std::vector<Bytes> usualSizes();                                   // 256 KiB ... 16 GiB, doubling
std::vector<std::int64_t> usualServerCounts(const Fabric& fabric); // doublings around the design's own

} // namespace railyard
