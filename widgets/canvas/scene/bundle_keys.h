// Which links a bundle of the drawing represents: those of a tier and of both its ends, of one end, of an SU's leaves, of a rail, or of the
// tier alone.
#pragma once

#include "widgets/canvas/scene/scene.h"

#include <array>
#include <tuple>

namespace railyard {

using BundleKey = std::tuple<LinkTier, std::uint32_t, std::uint32_t, std::uint32_t, int>; // tier, lower, upper, SU, rail

inline BundleKey keyOf(const SceneBundle& bundle) {
    const bool isNarrow = bundle.lower != none || bundle.upper != none || bundle.unit != none;
    return {*bundle.tier, bundle.lower, bundle.upper, bundle.unit, isNarrow ? 0 : bundle.ofRail};
}

// Those of the bundles that represent this link, wherever they are drawn; no two are equal.
inline std::array<BundleKey, 6> keysOf(const Fabric& fabric, LinkId link) {
    const LinkTable& links = fabric.links;
    const LinkTier tier = links.tier[link];
    const std::uint32_t low = links.a[link], high = links.b[link];
    const std::uint32_t unit = fabric.devices.scope[tier == LinkTier::HostLeaf ? links.b[link] : links.a[link]];
    const std::uint32_t railLow = fabric.devices.rail[links.a[link]];
    constexpr int noRail = -1; // of a link: no bundle is of it. 0 is that of bundles of all rails
    const auto rail = static_cast<int>(railLow > 0 ? railLow : fabric.devices.rail[links.b[link]]);
    return {BundleKey(tier, low, high, none, 0),
            BundleKey(tier, low, none, none, 0),
            BundleKey(tier, none, high, none, 0),
            BundleKey(tier, none, none, unit, 0),
            BundleKey(tier, none, none, none, rail > 0 ? rail : noRail),
            BundleKey(tier, none, none, none, 0)};
}

} // namespace railyard
