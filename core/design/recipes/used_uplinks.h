// Uplinks above the leaves where only those in use are built: in proportion to the downlinks that a switch has.
#pragma once

#include "core/design/recipes/recipe_plan.h"

#include <vector>

namespace railyard {

// A number that `count` neighbouring switches have in common, so that thousands of leaves take a few entries.
struct Repeated {
    int value = 0;
    int count = 0;
    auto operator<=>(const Repeated&) const = default;
};
using RepeatedNumbers = std::vector<Repeated>;
// Adds to the end.
void append(RepeatedNumbers& numbers, const Repeated& more);

// The fewest uplinks that keep a ratio of ports for these downlinks.
constexpr int uplinksFor(std::int64_t downlinks, const Ratio& ratio) {
    return static_cast<int>((downlinks * ratio.up + ratio.down - 1) / ratio.down);
}
// Ports down and up of a switch between two tiers of switches: a spine below superspines, a superspine below cores.
inline Ratio splitOf(const RecipeSettings& settings) {
    const int share = settings.spineRadix / (settings.core.down + settings.core.up);
    return {settings.core.down * share, settings.core.up * share};
}
// Uplinks of the spines of pods, and with four tiers of the superspines of blocks with `podsPerBlock` pods, one for each uplink of a
// spine. Each entry of `leaves` has the uplinks of leaves that fill pods one after the other, in path order.
UsedAbove usedAbove(const std::vector<RepeatedNumbers>& leaves, int leavesPerPod, int spines, const Ratio& split, int podsPerBlock);

} // namespace railyard
