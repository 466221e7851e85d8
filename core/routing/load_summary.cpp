#include "core/routing/load_summary.h"

#include "core/failure/removal.h"

#include <algorithm>

namespace railyard {

LoadSummary summaryOf(const Fabric& fabric, const LinkLoads& loads) {
    constexpr double rounding = 1e-9; // sums in another order are no busier link
    LoadSummary summary;
    for (const LinkId l : fabric.links.ids()) {
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

std::vector<double> valuesBefore(const Removal& removal, const Fabric& degraded, const std::vector<double>& ofLinks) {
    const Fabric& intact = degraded.intact ? *degraded.intact : degraded;
    const auto isGone = [](const std::vector<bool>& mask, std::size_t i) { return i < mask.size() && mask[i]; };
    std::vector<double> result(intact.links.size(), -1);
    std::size_t at = 0; // the remaining links are in the same order
    for (std::size_t l = 0; l < result.size() && at < degraded.links.size(); ++l)
        if (!isGone(removal.links, l) && !isGone(removal.devices, intact.links.a[l]) && !isGone(removal.devices, intact.links.b[l]))
            result[l] = ofLinks[at++];
    return result;
}

std::vector<double> utilisationBefore(const Removal& removal, const Fabric& degraded, const LinkLoads& loads) {
    std::vector<double> ofLinks;
    for (const LinkId l : degraded.links.ids()) ofLinks.push_back(loads.utilisation(degraded, l));
    return valuesBefore(removal, degraded, ofLinks);
}

} // namespace railyard
