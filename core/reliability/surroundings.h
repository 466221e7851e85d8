// Which switches, servers and NICs of a fabric have the same surroundings: a number for each, equal where what they are joined to is.
#pragma once

#include "core/fabric/switch_graph.h"

#include <cstdint>

namespace railyard {

struct Surroundings {
    By<NodeId, std::uint64_t> ofNode;     // of switches
    By<ServerId, std::uint64_t> ofServer; // by the switches of its NICs
    By<DeviceId, std::uint64_t> ofNic;    // by its switches and its server; 0 without reach
};
// `shape`: a number for every switch to begin with. In `reach` turns each takes in the numbers of its neighbours (colour refinement, after
// Weisfeiler and Leman), so that two that are equal have the same surroundings up to `reach` links away.
Surroundings surroundingsOf(const Fabric& fabric, const SwitchGraph& graph, const By<NodeId, std::uint64_t>& shape, int reach);

} // namespace railyard
