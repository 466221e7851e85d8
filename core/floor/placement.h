// Which racks there are, in the order in which they stand, and what is in them. Internal to core/floor.
#pragma once

#include "core/floor/floor.h"

namespace railyard {

// Racks that stand side by side: those of one scalable unit, or a run of switch racks.
struct RackBlock {
    std::uint32_t first = 0, count = 0; // into Floor::racks
    std::uint32_t leafRacks = 0;        // the last of them, to stand where the floor plan says
    bool switchesOnly = false;          // of the tiers above the leaf
};

// Fills floor.chassis and chassisOf: what is screwed into racks, and which device is in it.
void collectChassis(const Fabric& fabric, int serverRackUnits, Floor& floor);
// What was placed at a unit by hand stays; servers fill from below, switches right above them, or from the top in racks of
// their own.
void giveUnits(Floor& floor);
// Fills all of it and the racks, without their spots.
std::vector<RackBlock> placeChassis(const Fabric& fabric, Floor& floor);
// Gives every rack its spot, then name and place in metres.
void placeRacks(const std::vector<RackBlock>& blocks, Floor& floor);

} // namespace railyard
