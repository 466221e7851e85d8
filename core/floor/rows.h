// The rows of racks. Internal to core/floor.
#pragma once

#include "core/floor/placement.h"

namespace railyard {

// Assigns positions, then names and coordinates in metres.
void setSpot(Floor& floor, Rack& rack); // coordinates and label of a rack from its spot; the floor grows with it
void placeRacks(const std::vector<RackBlock>& blocks, Floor& floor);

} // namespace railyard
