// All-to-all where the fabric is even and its HB domains are alike: by closed form, a domain of each kind standing for all.
#pragma once

#include "core/routing/link_loads.h"
#include "core/routing/node_loads.h"

#include <optional>

namespace railyard {

// The same as counting every link: what leaves a leaf divides evenly over its uplinks, what leaves a pod over those of its
// spines. Nothing where the fabric is not so: failures, tiers beyond the third, ports of different GPUs on different networks.
std::optional<LinkLoads> evenAllToAll(const Fabric& fabric, const SwitchGraph& graph, Division division);

} // namespace railyard
