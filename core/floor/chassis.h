// The rack-mounted units of a fabric and where they are in their racks. Internal to core/floor.
#pragma once

#include "core/floor/floor.h"

namespace railyard {

// Fills floor.chassis and chassisOf: the rack-mounted units and their devices.
void collectChassis(const Fabric& fabric, int serverRackUnits, Floor& floor);
// Units set by hand are kept; servers fill a rack from the bottom, switches are placed above them, or from the top in racks
// without servers.
void giveUnits(Floor& floor);

} // namespace railyard
