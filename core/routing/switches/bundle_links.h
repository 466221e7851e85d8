// Distributes the load of parallel links to the single links.
#pragma once

#include "core/fabric/fabric.h"
#include "core/routing/switches/node_loads.h"

namespace railyard {

// The load of a bundle on its links, with the division that was used; links outside of bundles are unchanged.
void writeOverLinks(const Fabric& fabric, const SwitchGraph& graph, const NodeLoads& between, Division division, std::vector<double>& aToB,
                    std::vector<double>& bToA);

} // namespace railyard
