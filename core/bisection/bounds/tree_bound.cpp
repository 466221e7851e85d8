#include "core/bisection/bounds/tree_bound.h"

#include "core/base/fingerprint.h"
#include "core/bisection/bounds/cheapest_split.h"
#include "core/bisection/bounds/stars.h"

#include <algorithm>

namespace railyard {
LowerBound treeBound(const SwitchGraph& graph, const Endpoints& ends) {
    if (!carriesAllUplinks(graph)) return {}; // before the stars, which take time: an edit is solved anew within milliseconds
    const auto stars = starsOf(graph, ends);
    if (!stars || !reachEqually(graph, ends, *stars)) return {};
    std::vector<SplitGroup> groups;
    std::size_t inStars = 0;
    for (const Star& star : *stars) {
        const std::size_t e = star.endpoints.size();
        const auto rails = static_cast<double>(star.leaves.size());
        SplitGroup group{fingerprintOf(std::to_string(e) + "/" + std::to_string(star.perLink.value()) + "/" +
                                       std::to_string(star.uplink.value()) + "/" + std::to_string(rails))
                             .low,
                         std::vector<double>(e + 1)};
        // The node above stands on the side without the a endpoints; both roles occur, as both floor and ceiling of n/2 are tried.
        for (std::size_t a = 0; a <= e; ++a)
            group.cost[a] =
                (rails * std::min(static_cast<double>(a) * star.perLink, static_cast<double>(e - a) * star.perLink + star.uplink)).value();
        groups.push_back(std::move(group));
        inStars += e;
    }
    if (inStars < ends.size()) groups.push_back({0, std::vector<double>(ends.size() - inStars + 1)});
    const auto small = cheapestSplit(groups, ends.size() / 2), large = cheapestSplit(groups, (ends.size() + 1) / 2);
    if (!small || !large) return {};
    return {Bandwidth(std::min(*small, *large)), "tree bound"};
}

} // namespace railyard
