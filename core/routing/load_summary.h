// A summary of the link loads of a fabric.
#pragma once

#include "core/fabric/elaborate.h"
#include "core/failure/removal.h"
#include "core/routing/link_loads.h"

#include <array>

namespace railyard {

struct TierLoad {
    std::int64_t links = 0;
    double most = 0, mean = 0;  // over both directions of all links, in units of the total traffic of one GPU
    double mostUtilisation = 0; // if every GPU sends at its full rate; above 1: the link is overloaded
};

struct LoadSummary {
    std::array<TierLoad, 7> tiers; // by LinkTier
    // The busiest link of the NIC fabric, the first of several equal ones; none if there are no links.
    std::uint32_t busiest = none;
    bool isAToB = true;
    double utilisation = 0; // of the busiest link
};
LoadSummary summaryOf(const Fabric& fabric, const LinkLoads& loads);

// By link of the fabric before failures; below 0 for failed links.
// `removal`: what failed in the intact fabric of `degraded`.
std::vector<double> valuesBefore(const Removal& removal, const Fabric& degraded, const std::vector<double>& ofLinks);
std::vector<double> utilisationBefore(const Removal& removal, const Fabric& degraded, const LinkLoads& loads);

} // namespace railyard
