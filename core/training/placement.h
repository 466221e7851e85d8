// Which GPUs a job gets on a cluster.
#pragma once

#include "core/fabric/fabric.h"

#include <optional>
#include <string_view>
#include <vector>

namespace railyard {

// Packed: one HB domain after the other. Spread: HB domains of all SUs in turn. Random: HB domains in an order drawn with the seed. The
// GPUs of an HB domain always stay next to each other.
enum class Placement { Packed, Spread, Random };
std::optional<Placement> placementFrom(std::string_view text);
std::string_view toText(Placement placement);

// All GPUs, in the order in which a job takes them.
std::vector<DeviceId> gpusOf(const Fabric& fabric, Placement placement, std::uint64_t seed);

// Number of servers that hold the first `count` of these GPUs. A GPU outside of servers counts as one.
std::int64_t serversOf(const Fabric& fabric, const std::vector<DeviceId>& gpus, std::int64_t count);

} // namespace railyard
