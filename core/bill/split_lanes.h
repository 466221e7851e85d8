// Which lanes of split ports count as one cable. Internal to core/bill.
#pragma once

#include "core/bill/cabling.h"

namespace railyard {

bool hasSplitPorts(const Fabric& fabric);
// Sets `cable` of all links. The lanes of one native port that run to ports that are whole count as one cable, as do the lanes of two
// native ports that run to nothing but each other. Every other link is a cable of its own.
void joinLanes(const Fabric& fabric, Cabling& cabling);

} // namespace railyard
