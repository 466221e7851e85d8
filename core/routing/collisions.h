// What hashing costs: connections that meet on a link by chance, though another is idle.
#pragma once

#include "core/routing/link_loads.h"

namespace railyard {

struct CollisionPoint {
    int connections = 1;     // of each pair
    double slowdown = 1;     // load of the busiest link of the NIC fabric, against an even division
    double mostOverMean = 1; // of the links between leaves and spines
};

// For 1, 2, 4 ... 64 connections. Errors: more connections than can be followed, or nothing is sent between HB domains.
Result<std::vector<CollisionPoint>> collisionCurve(const Fabric& fabric, const GpuTraffic& traffic, RoutingOptions options);

} // namespace railyard
