// What stands out in the loads of a fabric's links.
#pragma once

#include "core/fabric/elaborate.h"
#include "core/routing/link_loads.h"

#include <array>

namespace railyard {

struct TierLoad {
    std::int64_t links = 0;
    double most = 0, mean = 0;  // of both directions of every link, in units of what one GPU sends
    double mostUtilisation = 0; // where every GPU sends as fast as it can; above 1: more than the link carries
};

struct LoadSummary {
    std::array<TierLoad, 7> tiers; // by LinkTier
    // Of the links of the NIC fabric the busiest, the first of those alike; none where there is no link.
    std::uint32_t busiest = none;
    bool isAToB = true;
    double utilisation = 0; // of the busiest
};
LoadSummary summaryOf(const Fabric& fabric, const LinkLoads& loads);

// By link of the fabric as it was before failures; below 0 for those that are gone.
// `left` is what the removal left of it.
std::vector<double> valuesBefore(const Fabric& intact, const Removal& removal, const Fabric& left, const std::vector<double>& ofLinks);
std::vector<double> utilisationBefore(const Fabric& intact, const Removal& removal, const Fabric& left, const LinkLoads& loads);

} // namespace railyard
