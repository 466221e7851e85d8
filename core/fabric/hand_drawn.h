// What people change on top of blocks: cables drawn by hand, and overrides of single elements.
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

void addFreeLinks(Fabric& fabric, const std::vector<const FreeLink*>& links);
FabricPointer withOverrides(std::shared_ptr<Fabric> fabric);

} // namespace railyard
