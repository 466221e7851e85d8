// Rings through all GPUs of an HB fabric of direct links.
#pragma once

#include "core/fabric/fabric.h"

#include <cstdint>
#include <vector>

namespace railyard {

// The speeds between members as numbers of links of one speed, their greatest common divisor; 0 if there are no links.
struct LinkUnits {
    std::int64_t speed = 0; // bit/s
    std::vector<std::vector<int>> links;
};
LinkUnits linkUnitsOf(const std::vector<std::vector<std::int64_t>>& speeds);
// Every pair of members has links of the same speed.
bool isComplete(const std::vector<std::vector<std::int64_t>>& speeds);

// The number of edge-disjoint rings through all `members`: links[i][j] is the number of rings that the links from i to j can
// carry, in that direction. Exact for small groups; if the search exceeds its limit, the number found so far.
int ringsSideBySide(std::vector<std::vector<int>> links);

using HbRing = std::vector<std::size_t>; // members, from the first one on
// Edge-disjoint rings that use their links in both directions, as many as the search finds: those of a cube mesh as NCCL builds them.
std::vector<HbRing> ringsBothWays(std::vector<std::vector<int>> links);

// [i][j]: bit/s from gpus[i] to gpus[j] over direct HB links.
std::vector<std::vector<std::int64_t>> directSpeeds(const Fabric& fabric, const std::vector<DeviceId>& gpus, const std::vector<LinkId>& hb);

} // namespace railyard
