// All-to-all in a regular fabric with identical HB domains, in closed form: one domain of each class represents all others.
#pragma once

#include "core/routing/problem/gpu_traffic.h"
#include "core/routing/switches/node_loads.h"

#include <optional>

namespace railyard {

// Equals the result for every single link: the traffic of a leaf divides evenly over its uplinks, that of a pod over the
// uplinks of its spines, that of pods joined by superspines over the uplinks of these. Empty if the fabric is irregular: failures, pods
// that share some of their superspines only, ports of GPUs on different networks.
std::optional<LinkLoads> regularAllToAll(const Fabric& fabric, const SwitchGraph& graph, Division division);

} // namespace railyard
