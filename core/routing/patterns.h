// Traffic patterns by name, over all GPUs of a fabric in the order of their paths.
#pragma once

#include "core/routing/link_loads.h"

#include <optional>

namespace railyard {

enum class Pattern { AllToAll, Ring, RailRing, Permutation, Incast };
std::optional<Pattern> patternFrom(std::string_view text);

// AllToAll: each to every other. Ring: each to the next. RailRing: each to the GPU in its place of the next HB domain.
// Permutation: each to one other, drawn by the seed. Incast: all others to the first.
GpuTraffic trafficOf(const Fabric& fabric, Pattern pattern, std::uint64_t seed);

} // namespace railyard
