#include "core/fabric/network_runs.h"

#include <cstring>
#include <span>

namespace railyard {
namespace {

constexpr auto firstInside = static_cast<std::uint64_t>(LinkTier::Hb);
static_assert(firstInside > 0 && sizeof(LinkTier) == 1);

constexpr bool isNetwork(LinkTier tier) { return tier < LinkTier::Hb; }

// Whether any of eight tiers is of a network link, or of a link inside a server. No tier has the top bit of its byte, so that none
// borrows from its neighbour before one of them is below the limit, and no sum overflows into it.
bool isAny(std::uint64_t eight, bool network) {
    constexpr std::uint64_t ones = 0x0101010101010101, tops = ones << 7;
    return network ? ((eight - ones * firstInside) & ~eight & tops) != 0 : ((eight + ones * (128 - firstInside)) & tops) != 0;
}

std::size_t findNext(std::span<const LinkTier> tiers, std::size_t from, bool network) {
    for (std::uint64_t eight = 0; from + sizeof eight <= tiers.size(); from += sizeof eight) {
        std::memcpy(&eight, tiers.data() + from, sizeof eight);
        if (isAny(eight, network)) break;
    }
    while (from < tiers.size() && isNetwork(tiers[from]) != network) ++from;
    return from;
}

} // namespace

std::vector<LinkRun> networkRuns(const LinkTable& links) {
    const std::span<const LinkTier> tiers = links.tier;
    std::vector<LinkRun> runs;
    for (std::size_t at = findNext(tiers, 0, true); at < tiers.size();) {
        const std::size_t end = findNext(tiers, at, false);
        runs.push_back({LinkId(at), LinkId(end)});
        at = findNext(tiers, end, true);
    }
    return runs;
}

} // namespace railyard
