// The rows of racks. Internal to core/floor.
#pragma once

#include "core/floor/placement.h"

namespace railyard {

// Assigns positions, then names and coordinates in metres.
void placeRacks(const std::vector<RackBlock>& blocks, Floor& floor);

} // namespace railyard
