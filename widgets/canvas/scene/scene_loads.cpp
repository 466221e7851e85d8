#include "widgets/canvas/scene/scene_loads.h"

#include "widgets/canvas/scene/bundle_keys.h"

#include <algorithm>
#include <map>

namespace railyard {

std::vector<double> largestOfBundles(const Scene& scene, const Fabric& fabric, const std::vector<double>& ofLink) {
    std::map<BundleKey, double> largest;
    for (const SceneBundle& bundle : scene.bundles)
        if (bundle.tier) largest[keyOf(bundle)] = -1;
    for (const LinkId l : indices<LinkId>(std::min(fabric.links.size(), ofLink.size()))) {
        if (!fabric.isNetworkLink(l) || ofLink[l] < 0) continue;
        for (const BundleKey& key : keysOf(fabric, l))
            if (const auto own = largest.find(key); own != largest.end()) own->second = std::max(own->second, ofLink[l]);
    }
    std::vector<double> result;
    for (const SceneBundle& bundle : scene.bundles) result.push_back(bundle.tier ? largest.at(keyOf(bundle)) : -1);
    return result;
}

std::vector<double> largestInside(const Scene& scene, const Fabric& fabric, const std::vector<double>& ofLink) {
    std::vector<double> ofScope(fabric.scopes.size(), -1);
    const auto raise = [&](ScopeId scope, double load) { ofScope[scope] = std::max(ofScope[scope], load); };
    for (std::size_t l = 0; l < std::min(fabric.links.size(), ofLink.size()); ++l) {
        if (fabric.links.tier[l] != LinkTier::Hb || ofLink[l] < 0) continue;
        const DeviceId gpu = fabric.links.a[l];
        const ServerId server = fabric.devices.server[gpu];
        const DomainId domain = fabric.devices.hbDomain[gpu];
        if (server != none) raise(fabric.servers[server], ofLink[l]);
        if (domain != none) raise(fabric.hbDomains[domain], ofLink[l]);
    }
    std::vector<double> result;
    for (const SceneNode& node : scene.nodes) result.push_back(node.scope == none ? -1 : ofScope[node.scope]);
    return result;
}

} // namespace railyard
