// What people change on top of blocks: cables drawn by hand, and overrides of single elements.
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

// A cable of a block, and where that block stands: its ends are paths from there.
struct PlacedLink {
    const FreeLink* link;
    std::uint32_t scope;
};
// A NIC without a rail takes that of the switch it is cabled to.
void addFreeLinks(Fabric& fabric, const std::vector<PlacedLink>& links);
FabricPointer withOverrides(std::shared_ptr<Fabric> fabric);

} // namespace railyard
