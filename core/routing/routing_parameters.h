// The options of routing and the traffic pattern, a row each: the command line and forms read them here.
#pragma once

#include "core/base/parameter.h"
#include "core/routing/problem/gpu_traffic.h"

namespace railyard {

std::span<const Parameter<RoutingOptions>> routingParameters(); // all but the seed
// The traffic pattern; its choices are those of all GPUs, in the order of Pattern. Jobs and files are patterns too.
const ParameterInfo& patternParameter();

} // namespace railyard
