// The bandwidth of HB fabrics within a group by traffic pattern. With HB switches every GPU has its own links for all patterns;
// in meshes the bandwidth differs between a ring, an exchange and a root.
#pragma once

#include "core/collective/communicator/communicator_links.h"
#include "core/collective/communicator/fabric_index.h"
#include "core/fabric/switch_graph.h"

namespace railyard {

// `gpus` in rank order. Bandwidths per GPU, for the slowest domain; 0 if some members of a domain cannot reach each other.
HbBandwidths hbBandwidthsOf(const Fabric& fabric, const SwitchGraph& graph, const FabricIndex& index, const std::vector<DeviceId>& gpus);

} // namespace railyard
