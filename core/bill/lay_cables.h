// Lengths and media of cables between racks. Internal to core/bill.
#pragma once

#include "core/bill/cabling.h"

namespace railyard {

// Replaces the choices of a cabling whose cages and cables are known, by the routes of its floor. Links that share a cage
// hang together: all of them get modules of the reach that the longest needs, so both halves of a module are alike.
void layCables(const Fabric& fabric, OpticChooser& chooser, Cabling& cabling);

} // namespace railyard
