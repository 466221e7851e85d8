// The cost of hashing: flows that collide on a link although another link is idle.
#pragma once

#include "core/routing/link_loads.h"

namespace railyard {

struct CollisionPoint {
    int connections = 1;     // per pair
    double slowdown = 1;     // load of the busiest link of the NIC fabric relative to an even division
    double mostOverMean = 1; // for links between leaves and spines
};

// For 1, 2, 4 ... 64 flows per pair. Errors: too many flows to follow, or no traffic between HB domains.
Result<std::vector<CollisionPoint>> collisionCurve(const Fabric& fabric, const GpuTraffic& traffic, RoutingOptions options);

} // namespace railyard
