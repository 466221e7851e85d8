// What single links carry, brought to the bundles that stand for them.
#include "widgets/canvas/scene.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace railyard {

std::vector<double> largestOfBundles(const Scene& scene, const Fabric& fabric, const std::vector<double>& ofLink) {
    // Bundles ask by tier and one of: both ends, one end, the SU of the leaf, the rail, nothing else.
    using Key = std::tuple<LinkTier, std::uint32_t, std::uint32_t, std::uint32_t, int>;
    std::map<Key, double> largest;
    const auto keyOf = [](const SceneBundle& bundle) {
        const bool isNarrow = bundle.lower != none || bundle.upper != none || bundle.unit != none;
        return Key(*bundle.tier, bundle.lower, bundle.upper, bundle.unit, isNarrow ? 0 : bundle.ofRail);
    };
    for (const SceneBundle& bundle : scene.bundles)
        if (bundle.tier) largest[keyOf(bundle)] = -1;
    const LinkTable& links = fabric.links;
    for (std::size_t l = 0; l < std::min(links.size(), ofLink.size()); ++l) {
        if (!fabric.isNetworkLink(l) || ofLink[l] < 0) continue;
        const LinkTier tier = links.tier[l];
        const std::uint32_t low = links.a[l], high = links.b[l];
        const std::uint32_t unit = fabric.devices.scope[tier == LinkTier::HostLeaf ? high : low];
        const int rail = static_cast<int>(fabric.devices.rail[low] > 0 ? fabric.devices.rail[low] : fabric.devices.rail[high]);
        for (const Key& key : {Key(tier, low, high, none, 0), Key(tier, low, none, none, 0), Key(tier, none, high, none, 0),
                               Key(tier, none, none, unit, 0), Key(tier, none, none, none, rail), Key(tier, none, none, none, 0)})
            if (const auto own = largest.find(key); own != largest.end()) own->second = std::max(own->second, ofLink[l]);
    }
    std::vector<double> result;
    for (const SceneBundle& bundle : scene.bundles) result.push_back(bundle.tier ? largest.at(keyOf(bundle)) : -1);
    return result;
}

} // namespace railyard
