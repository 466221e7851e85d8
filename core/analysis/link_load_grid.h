// Link loads as a matrix: lower switches (or NICs) by upper ones.
#pragma once

#include "core/routing/link_loads.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

struct LinkLoadGrid {
    LinkTier tier = LinkTier::LeafSpine;
    std::vector<std::string> x, y;             // paths of the upper and of the lower ends, in the order of the fabric
    std::vector<std::optional<double>> values; // row by row, y outer: utilisation of the busiest of their links; nothing: no link
    std::size_t at(std::size_t column, std::size_t row) const { return row * x.size() + column; }
};

// Errors: no link of the tier, or more cells than anybody can read.
Result<LinkLoadGrid> linkLoadGrid(const Fabric& fabric, const LinkLoads& loads, LinkTier tier);

} // namespace railyard
