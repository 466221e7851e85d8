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

// Fills floor.chassis and chassisOf: the rack-mounted units and their devices.
void collectChassis(const Fabric& fabric, int serverRackUnits, Floor& floor);
// Units set by hand are kept; servers fill a rack from the bottom, switches are placed above them, or from the top in racks
// without servers.
void giveUnits(Floor& floor);
// Fills the racks and their content, without positions.
std::vector<RackBlock> placeChassis(const Fabric& fabric, Floor& floor);
// Assigns positions, then names and coordinates in metres.
void placeRacks(const std::vector<RackBlock>& blocks, Floor& floor);

} // namespace railyard
