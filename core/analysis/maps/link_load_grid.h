// Link utilisation as a matrix of lower devices (switches or NICs) and upper switches.
#pragma once

#include "core/routing/link_loads.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

struct LinkLoadGrid {
    LinkTier tier = LinkTier::LeafSpine;
    std::vector<std::string> x, y;             // paths of the upper and the lower ends, in fabric order
    std::vector<std::optional<double>> values; // row by row, y is the outer index: utilisation of the busiest link; empty without a link
    std::size_t at(std::size_t column, std::size_t row) const { return row * x.size() + column; }
};

// Errors: the design has no links of this tier, or the matrix exceeds the maximum size.
Result<LinkLoadGrid> linkLoadGrid(const Fabric& fabric, const LinkLoads& loads, LinkTier tier);

} // namespace railyard
