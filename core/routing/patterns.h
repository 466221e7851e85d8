// Traffic patterns by name, for all GPUs of a fabric in path order.
#pragma once

#include "core/routing/link_loads.h"

#include <optional>

namespace railyard {

enum class Pattern { AllToAll, Ring, RailRing, Permutation, Incast };
std::optional<Pattern> patternFrom(std::string_view text); // of the row in routing_parameters.h

// AllToAll: every GPU to every other. Ring: each to the next. RailRing: each to the GPU at the same position in the next HB
// domain. Permutation: each to one other GPU, chosen by the seed. Incast: all others to the first.
GpuTraffic trafficOf(const Fabric& fabric, Pattern pattern, std::uint64_t seed);
// The same among these GPUs, in this order: the next of a ring is the next of the list.
GpuTraffic trafficAmong(const Fabric& fabric, const std::vector<DeviceId>& gpus, Pattern pattern, std::uint64_t seed);

} // namespace railyard
