// The load of every link per direction, from traffic between GPUs: over NICs and switches between HB domains, over the HB fabric
// inside. The unit is the total traffic of one GPU.
#pragma once

#include "core/base/result.h"
#include "core/routing/problem/gpu_traffic.h"

#include <vector>

namespace railyard {

// Errors: too many flows to follow with Hash. Hash is not available for a group.
Result<LinkLoads> linkLoads(const Fabric& fabric, const GpuTraffic& traffic, const RoutingOptions& options);
// All-to-all with ecmp or adaptive routing, without the closed form of regular_loads.h.
LinkLoads loadsOfAllPairs(const Fabric& fabric, const RoutingOptions& options, const std::vector<DeviceId>& group = {});

} // namespace railyard
