// From bundles of parallel links to the links themselves.
#pragma once

#include "core/fabric/fabric.h"
#include "core/routing/node_loads.h"

namespace railyard {

// A bundle's load on its links, as it was divided among them; links that are in no bundle keep what they have.
void writeOverLinks(const Fabric& fabric, const SwitchGraph& graph, const NodeLoads& between, Division division, std::vector<double>& aToB,
                    std::vector<double>& bToA);

} // namespace railyard
