// The rack-mounted units of a fabric and where they are in their racks. Internal to core/floor.
#pragma once

#include "core/floor/floor.h"

namespace railyard {

// In rack units. A server of unknown height takes a rack by itself; other devices count one unit.
int chassisHeight(const Part* part, int rackUnits);
Watts rackPowerOf(const Part* part);                    // maximum, else typical, else 0
void countIn(Rack& rack, const Part* part, int height); // units, power and weight of one more device

// Fills floor.chassis and chassisOf: the rack-mounted units and their devices.
void collectChassis(const Fabric& fabric, int serverRackUnits, Floor& floor);
// Units set by hand are kept; servers fill a rack from the bottom, switches are placed above them, or from the top in racks
// without servers.
void giveUnits(Floor& floor);
// Racks that are bought with their servers, one for each HB domain: puts the switch trays of the domain into the rack, and gives the rack
// the power and weight of the whole system.
void completeSystems(const Fabric& fabric, const Part& system, Floor& floor);

} // namespace railyard
