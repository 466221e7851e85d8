// The options of routing, a row each: the command line and forms read them here.
#pragma once

#include "core/base/parameter.h"
#include "core/routing/problem/gpu_traffic.h"

namespace railyard {

std::span<const Parameter<RoutingOptions>> routingParameters(); // all but the seed

} // namespace railyard
