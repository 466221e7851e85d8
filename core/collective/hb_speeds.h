// What HB fabrics carry among the members of a group, by who sends to whom. Through switches every GPU has its own links for
// all; in meshes a ring, an exchange and a root find different ways.
#pragma once

#include "core/collective/collective.h"

namespace railyard {

// `gpus` in the order of ranks. Bandwidths of one GPU, of the slowest domain; 0 where members of a domain cannot reach each other.
HbBandwidths hbBandwidthsOf(const Fabric& fabric, const SwitchGraph& graph, const std::vector<std::uint32_t>& gpus);

// How many rings through all of `members` find room side by side, each with its own links: links[i][j] leads from i to j and
// holds so many rings, in that direction. Exact for what few GPUs can be; where the search gives up, as many as it has found.
int ringsSideBySide(std::vector<std::vector<int>> links);

} // namespace railyard
