// How many links and cables have the same modules.
#pragma once

#include "core/bill/cabling.h"

#include <vector>

namespace railyard {

struct CableCount {
    std::uint32_t choice = 0; // into Cabling::choices
    LinkTier tier = LinkTier::HostLeaf;
    std::int64_t links = 0;
    std::int64_t cables = 0, patchCables = 0; // those whose first link is among these
};

// In the order of the links; one choice and tier may be there several times.
std::vector<CableCount> cableCountsOf(const Fabric& fabric, const Cabling& cabling);

} // namespace railyard
