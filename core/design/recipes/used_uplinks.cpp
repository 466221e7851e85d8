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
std::vector<int> uplinksAbove(const RepeatedNumbers& lowers, int uppers, const Ratio& ratio) {
    std::vector<int> above(static_cast<std::size_t>(uppers)); // first their downlinks
    UplinkSpread spread(above.size());
    for (const Repeated& each : lowers) {
        if (addAlike(above, spread, each.count, each.value, ratio.down)) continue;
        const auto uplinks = static_cast<std::size_t>(each.value);
        for (int lower = 0; lower < each.count; ++lower) {
            for (std::size_t j = 0; j < uplinks; ++j) {
                std::size_t at = spread.upperOf(j, uplinks);
                for (std::size_t tried = 0; tried < above.size() && above[at] >= ratio.down; ++tried) at = (at + 1) % above.size();
                ++above[at];
            }
            spread.next(uplinks);
        }
    }
    for (int& links : above) links = uplinksFor(links, ratio);
    return above;
}

// Pods or blocks one after the other that are equal.
struct EqualGroups {
    RepeatedNumbers members; // of each: the uplinks of its leaves, or the kinds of its pods
    int count = 1;
};

// Adds groups of `size` members; the last one has the rest.
void divide(const RepeatedNumbers& all, int size, std::vector<EqualGroups>& groups) {
    const auto add = [&](EqualGroups&& more) {
        if (!groups.empty() && groups.back().members == more.members)
            groups.back().count += more.count;
        else
            groups.push_back(std::move(more));
    };
    EqualGroups open;
    int room = size;
    for (auto [value, count] : all)
        while (count > 0) {
            if (room == size && count >= size) {
                add({{{value, size}}, count / size});
                count %= size;
                continue;
            }
            const int members = std::min(room, count);
            open.members.push_back({value, members});
            count -= members;
            room -= members;
            if (room > 0) continue;
            add(std::exchange(open, {}));
            room = size;
        }
    if (!open.members.empty()) add(std::move(open));
}

// Uplinks of the switches of groups that are equal, in path order.
struct GroupUplinks {
    std::vector<int> uplinks;
    int groups = 1;
};

UsedTier summed(const std::vector<GroupUplinks>& tier) {
    UsedTier sum;
    std::vector<std::int64_t> ofIndex;
    for (const auto& [uplinks, groups] : tier) {
        ofIndex.resize(std::max(ofIndex.size(), uplinks.size()));
        for (std::size_t i = 0; i < uplinks.size(); ++i) {
            const std::int64_t all = std::int64_t{uplinks[i]} * groups;
            ofIndex[i] += all;
            sum.all += all;
            sum.most = std::max(sum.most, uplinks[i]);
        }
    }
    for (const std::int64_t all : ofIndex) sum.ofAnIndex = std::max(sum.ofAnIndex, all);
    return sum;
}

// Of the superspines of all blocks. `spines`: those of the pods. A spine index has a superspine for each uplink.
std::vector<GroupUplinks> superspinesOf(const std::vector<GroupUplinks>& spines, int perIndex, const Ratio& split, int podsPerBlock) {
    RepeatedNumbers pods; // by their place in `spines`
    for (std::size_t kind = 0; kind < spines.size(); ++kind) append(pods, {static_cast<int>(kind), spines[kind].groups});
    std::vector<EqualGroups> blocks;
    divide(pods, podsPerBlock, blocks);
    std::map<RepeatedNumbers, std::vector<int>> known; // nearly all indices are alike
    std::vector<GroupUplinks> superspines;
    for (const EqualGroups& block : blocks) {
        GroupUplinks& ofBlock = superspines.emplace_back(GroupUplinks{{}, block.count});
        for (std::size_t index = 0; index < spines.front().uplinks.size(); ++index) {
            RepeatedNumbers ofIndex;
            for (const Repeated& each : block.members)
                append(ofIndex, {spines[static_cast<std::size_t>(each.value)].uplinks[index], each.count});
            const auto [place, isNew] = known.try_emplace(std::move(ofIndex));
            if (isNew) place->second = uplinksAbove(place->first, perIndex, split);
            ofBlock.uplinks.insert(ofBlock.uplinks.end(), place->second.begin(), place->second.end());
        }
    }
    return superspines;
}

} // namespace

void append(RepeatedNumbers& numbers, const Repeated& more) {
    if (!numbers.empty() && numbers.back().value == more.value)
        numbers.back().count += more.count;
    else if (more.count > 0)
        numbers.push_back(more);
}

UsedAbove usedAbove(const std::vector<RepeatedNumbers>& leaves, int leavesPerPod, int spines, const Ratio& split, int podsPerBlock) {
    std::vector<EqualGroups> pods;
    for (const RepeatedNumbers& filling : leaves) divide(filling, leavesPerPod, pods);
    std::vector<GroupUplinks> ofPods;
    for (const EqualGroups& pod : pods) ofPods.push_back({uplinksAbove(pod.members, spines, split), pod.count});
    UsedAbove used{summed(ofPods), {}};
    if (podsPerBlock > 0) used.superspines = summed(superspinesOf(ofPods, used.spines.most, split, podsPerBlock));
    return used;
}

} // namespace railyard
