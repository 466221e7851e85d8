// What single links carry, brought to the bundles that stand for them.
#include "widgets/canvas/scene.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace railyard {

std::vector<double> largestOfBundles(const Scene& scene, const Fabric& fabric, const std::vector<double>& ofLink) {
    // Bundles ask by tier and one of: both ends, one end, the rail, nothing else.
    using Key = std::tuple<LinkTier, std::uint32_t, std::uint32_t, int>;
    std::map<Key, double> largest;
    const auto keyOf = [](const SceneBundle& bundle) {
        const bool byEnds = bundle.lower != none || bundle.upper != none;
        return Key(*bundle.tier, bundle.lower, bundle.upper, byEnds ? 0 : bundle.rail);
    };
    for (const SceneBundle& bundle : scene.bundles)
        if (bundle.tier) largest[keyOf(bundle)] = -1;
    const LinkTable& links = fabric.links;
    for (std::size_t l = 0; l < std::min(links.size(), ofLink.size()); ++l) {
        if (!fabric.isNetworkLink(l) || ofLink[l] < 0) continue;
        const std::uint32_t low = links.a[l], high = links.b[l];
        const int rail = static_cast<int>(fabric.devices.rail[low] > 0 ? fabric.devices.rail[low] : fabric.devices.rail[high]);
        for (const Key& key : {Key(links.tier[l], low, high, 0), Key(links.tier[l], low, none, 0), Key(links.tier[l], none, high, 0),
                               Key(links.tier[l], none, none, rail), Key(links.tier[l], none, none, 0)})
            if (const auto own = largest.find(key); own != largest.end()) own->second = std::max(own->second, ofLink[l]);
    }
    std::vector<double> result;
    for (const SceneBundle& bundle : scene.bundles) result.push_back(bundle.tier ? largest.at(keyOf(bundle)) : -1);
    return result;
}

} // namespace railyard
