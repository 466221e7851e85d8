#include "core/routing/load_summary.h"

#include <algorithm>

namespace railyard {

LoadSummary summaryOf(const Fabric& fabric, const LinkLoads& loads) {
    constexpr double rounding = 1e-9; // sums in another order are no busier link
    LoadSummary summary;
    for (std::uint32_t l = 0; l < fabric.links.size(); ++l) {
        TierLoad& tier = summary.tiers[static_cast<std::size_t>(fabric.links.tier[l])];
        const double most = std::max(loads.aToB[l], loads.bToA[l]), utilisation = loads.utilisation(fabric, l);
        ++tier.links;
        tier.most = std::max(tier.most, most);
        tier.mean += (loads.aToB[l] + loads.bToA[l]) / 2;
        tier.mostUtilisation = std::max(tier.mostUtilisation, utilisation);
        if (!fabric.isNetworkLink(l) || (summary.busiest != none && utilisation <= summary.utilisation * (1 + rounding))) continue;
        summary.busiest = l;
        summary.isAToB = loads.aToB[l] >= loads.bToA[l];
        summary.utilisation = utilisation;
    }
    for (TierLoad& tier : summary.tiers)
        if (tier.links > 0) tier.mean /= static_cast<double>(tier.links);
    return summary;
}

} // namespace railyard
