#include "core/bill/cable_counts.h"

#include "core/base/runs.h"
#include "core/fabric/network_runs.h"

namespace railyard {
namespace {

// The links from `begin` to `end` that are the first of their cable.
std::int64_t countFirst(const UnsetBy<CabledLinkId, CabledLinkId>& firstOf, std::size_t begin, std::size_t end) {
    const CabledLinkId* const first = firstOf.data();
    std::uint32_t count = 0;
    for (auto l = static_cast<std::uint32_t>(begin), last = static_cast<std::uint32_t>(end); l < last; ++l)
        count += std::uint32_t{first[l]} == l ? 1 : 0;
    return count;
}

} // namespace

std::vector<CableCount> cableCountsOf(const Fabric& fabric, const Cabling& cabling) {
    std::vector<CableCount> counts;
    std::size_t begin = 0; // the number of the first link of a run
    for (const LinkRun& run : networkRuns(fabric.links)) {
        const std::size_t runEnd = begin + run.size();
        const auto tierEnd = [&](std::size_t at) {
            return begin + endOfEqual(fabric.links.tier.data() + run.first, at - begin, run.size());
        };
        std::size_t tiersTo = begin;
        for (std::size_t at = begin, end = at; at < runEnd; at = end) {
            if (at == tiersTo) tiersTo = tierEnd(at);
            end = endOfEqual(cabling.choice.data(), at, tiersTo);
            counts.push_back({cabling.choice[at], fabric.links.tier[run.first + (at - begin)], static_cast<std::int64_t>(end - at),
                              countFirst(cabling.cable, at, end), countFirst(cabling.patch, at, end)});
        }
        begin = runEnd;
    }
    return counts;
}

} // namespace railyard
