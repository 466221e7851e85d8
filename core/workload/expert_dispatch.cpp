#include "core/workload/expert_dispatch.h"

#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

// That at least one of `chosen` out of `all` is among `some`: 1 - C(all - some, chosen) / C(all, chosen).
double hits(double some, double all, std::int64_t chosen) {
    double missed = 1;
    for (std::int64_t i = 0; i < chosen && missed > 0; ++i)
        missed *= std::max(0.0, all - some - static_cast<double>(i)) / (all - static_cast<double>(i));
    return 1 - missed;
}

} // namespace

double bytesToExperts(Precision precision) {
    constexpr double fp8 = 1 + 4.0 / 128, fp4 = 0.5 + 1.0 / 16;
    return precision == Precision::Fp8 ? fp8 : precision == Precision::Fp4 ? fp4 : activationBytes;
}

ExpertCopies expertCopies(const Mixture& mixture, std::int64_t domains, std::int64_t ranksPerDomain) {
    const auto d = static_cast<double>(domains), r = static_cast<double>(ranksPerDomain), experts = static_cast<double>(mixture.experts),
               groups = static_cast<double>(mixture.groups), chosen = static_cast<double>(mixture.groupsOfToken);
    const double mostDomains = std::min(d, chosen * std::max(1.0, d / groups)), share = chosen / groups;
    const double ofDomain = std::min(hits(experts / d, experts, mixture.topK), mostDomains / d);
    const double onRank = experts / (d * r);
    const double ofRank =
        onRank <= experts / groups ? share * hits(onRank, experts * share, mixture.topK) : hits(onRank, experts, mixture.topK);
    // What arrives in a domain enters it at one rank and is sent on to the other ranks that hold experts of the token.
    return {(d - 1) * ofDomain, d * r * ofRank * (r - 1) / r};
}

} // namespace railyard
