#include "core/routing/collisions.h"

#include "core/routing/load_summary.h"

namespace railyard {

Result<std::vector<CollisionPoint>> collisionCurve(const Fabric& fabric, const GpuTraffic& traffic, RoutingOptions options) {
    constexpr int mostConnections = 64;
    options.routing = Routing::Ecmp;
    const auto ecmp = linkLoads(fabric, traffic, options);
    if (!ecmp) return ecmp.errors();
    const double ecmpUtilisation = summaryOf(fabric, *ecmp).utilisation;
    if (ecmpUtilisation <= 0) return Error::unbuildable("the pattern sends no traffic over the network, so there are no collisions");
    options.routing = Routing::Hash;
    std::vector<CollisionPoint> curve;
    for (int connections = 1; connections <= mostConnections; connections *= 2) {
        options.connectionsPerPair = connections;
        const auto hashed = linkLoads(fabric, traffic, options);
        if (!hashed) return hashed.errors();
        const LoadSummary summary = summaryOf(fabric, *hashed);
        const TierLoad& uplinks = summary.tiers[static_cast<std::size_t>(LinkTier::LeafSpine)];
        curve.push_back({connections, summary.utilisation / ecmpUtilisation, uplinks.mean > 0 ? uplinks.most / uplinks.mean : 1});
    }
    return curve;
}

} // namespace railyard
