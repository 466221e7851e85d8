// The racks in their order, and their content. Internal to core/floor.
#pragma once

#include "core/floor/floor.h"

namespace railyard {

// Adjacent racks: those of a scalable unit, or a run of switch racks.
struct RackBlock {
    std::uint32_t first = 0, count = 0; // indices in Floor::racks
    std::uint32_t leafRacks = 0;        // the last of these racks, which are placed according to the floor plan
    bool switchesOnly = false;          // for the tiers above the leaves
};

// Fills the racks and their content, without positions.
std::vector<RackBlock> placeChassis(const Fabric& fabric, Floor& floor);
} // namespace railyard
