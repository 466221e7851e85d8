// Hand-drawn changes on top of blocks: cables, and overrides of single elements.
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

// A cable of a block and the scope of that block; the ends of the cable are paths relative to the scope.
struct PlacedLink {
    const FreeLink* link;
    ScopeId scope;
};
// A NIC without a rail gets the rail of the switch it is connected to.
void addFreeLinks(Fabric& fabric, const std::vector<PlacedLink>& links);
FabricPointer withOverrides(std::shared_ptr<Fabric> fabric);

} // namespace railyard
