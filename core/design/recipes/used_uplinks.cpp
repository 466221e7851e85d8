#include "core/design/recipes/used_uplinks.h"

#include "core/design/model/uplink_spread.h"

#include <algorithm>
#include <map>
#include <utility>

namespace railyard {
namespace {

// Adds `count` lowers that have the same number of uplinks, where no upper has all its ports down in use by then. False where one would.
bool addAlike(std::vector<int>& down, UplinkSpread& spread, int count, int uplinks, int ports) {
    const int uppers = static_cast<int>(down.size());
    const std::int64_t all = std::int64_t{count} * uplinks;
    const bool isInTurn = uplinks > uppers && uplinks % uppers != 0;
    const std::size_t turn = isInTurn ? spread.upperOf(0, static_cast<std::size_t>(uplinks)) : 0; // without uplinks there is no first
    const auto more = [&](int upper) { // those in turn stand side by side, from where the last lower ended
        if (!isInTurn) return uplinks < uppers ? (upper < uplinks ? count : 0) : static_cast<int>(all / uppers);
        const auto at = (static_cast<std::int64_t>(upper) - static_cast<std::int64_t>(turn) + uppers) % uppers;
        return static_cast<int>(all / uppers + (at < all % uppers ? 1 : 0));
    };
    for (int upper = 0; upper < uppers; ++upper)
        if (down[static_cast<std::size_t>(upper)] + more(upper) > ports) return false;
    for (int upper = 0; upper < uppers; ++upper) down[static_cast<std::size_t>(upper)] += more(upper);
    spread.next(static_cast<std::size_t>(uplinks), static_cast<std::size_t>(count));
    return true;
}

// Of each of the switches above, the fewest uplinks for its downlinks. One that has all its ports down in use is passed over.
std::vector<int> uplinksAbove(const std::vector<int>& lowers, int uppers, const Ratio& ratio) {
    std::vector<int> down(static_cast<std::size_t>(uppers));
    UplinkSpread spread(down.size());
    for (auto lower = lowers.begin(); lower != lowers.end();) {
        const auto end = std::find_if(lower, lowers.end(), [&](int each) { return each != *lower; });
        const auto uplinks = static_cast<std::size_t>(*lower);
        if (addAlike(down, spread, static_cast<int>(end - lower), *lower, ratio.down)) {
            lower = end;
            continue;
        }
        for (; lower != end; ++lower) {
            for (std::size_t j = 0; j < uplinks; ++j) {
                std::size_t at = spread.upperOf(j, uplinks);
                for (std::size_t tried = 0; tried < down.size() && down[at] >= ratio.down; ++tried) at = (at + 1) % down.size();
                ++down[at];
            }
            spread.next(uplinks);
        }
    }
    std::vector<int> above;
    for (const int downlinks : down) above.push_back(uplinksFor(downlinks, ratio));
    return above;
}

UsedTier summed(const UsedGroups& groups) {
    UsedTier tier;
    std::vector<std::int64_t> ofIndex;
    for (const std::vector<int>& group : groups) {
        ofIndex.resize(std::max(ofIndex.size(), group.size()));
        for (std::size_t i = 0; i < group.size(); ++i) {
            ofIndex[i] += group[i];
            tier.all += group[i];
            tier.most = std::max(tier.most, group[i]);
        }
    }
    for (const std::int64_t all : ofIndex) tier.ofAnIndex = std::max(tier.ofAnIndex, all);
    return tier;
}

} // namespace

UsedAbove usedAbove(const UsedGroups& pods, int spines, const Ratio& split, int podsPerBlock) {
    UsedGroups ofPods, ofBlocks;
    // Nearly all pods and indices are alike, and each is asked for often while a size is searched.
    std::map<std::pair<int, std::vector<int>>, std::vector<int>> known;
    const auto above = [&](std::vector<int> lowers, int uppers) -> const std::vector<int>& {
        auto [place, isNew] = known.try_emplace({uppers, std::move(lowers)});
        if (isNew) place->second = uplinksAbove(place->first.second, uppers, split);
        return place->second;
    };
    for (std::size_t pod = 0; pod < pods.size(); ++pod)
        ofPods.push_back(pod > 0 && pods[pod] == pods[pod - 1] ? ofPods.back() : above(pods[pod], spines));
    UsedAbove used{summed(ofPods), {}};
    for (std::size_t first = 0; first < ofPods.size() && podsPerBlock > 0; first += static_cast<std::size_t>(podsPerBlock)) {
        const std::size_t end = std::min(ofPods.size(), first + static_cast<std::size_t>(podsPerBlock));
        ofBlocks.emplace_back();
        for (std::size_t spine = 0; spine < static_cast<std::size_t>(spines); ++spine) {
            std::vector<int> ofIndex;
            for (std::size_t pod = first; pod < end; ++pod) ofIndex.push_back(ofPods[pod][spine]);
            for (const int uplinks : above(std::move(ofIndex), used.spines.most)) ofBlocks.back().push_back(uplinks);
        }
    }
    used.superspines = summed(ofBlocks);
    return used;
}

} // namespace railyard
