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
// Returns the links that the design draws at the top level: they go by being erased, the others by an override of their port.
std::vector<LinkId> addFreeLinks(Fabric& fabric, const std::vector<PlacedLink>& links);
FabricPointer withOverrides(std::shared_ptr<Fabric> fabric, const std::vector<LinkId>& drawn);

} // namespace railyard
