// Lengths and media of cables between racks. Internal to core/bill.
#pragma once

#include "core/bill/patch_cables.h"

namespace railyard {

// Replaces the choices of a cabling with known cages and cables according to the routes on its floor. All links that share
// a cage get modules with the reach that the longest link needs, so that both halves of a module are the same.
void layCables(const Fabric& fabric, OpticChooser& chooser, CagePositions positions, Cabling& cabling);

} // namespace railyard
