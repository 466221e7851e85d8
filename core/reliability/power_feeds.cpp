#include "core/reliability/power_feeds.h"

#include "core/floor/floor.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace railyard {

bool hasSingleFeeds(const Design& design) {
    return design.floor && (design.floor->feeds != PowerFeeds::Redundant || !design.floor->feedsOf.empty());
}

std::vector<RowFeed> rowFeedsOf(const Fabric& fabric) {
    const Floor floor = floorOf(fabric);
    std::map<std::pair<int, RackFeeds>, RowFeed> feeds; // by row
    const auto feedOf = [&](const Rack& rack, RackFeeds which) -> RowFeed& {
        const auto [found, isFresh] = feeds.try_emplace({rack.spot.row, which});
        if (isFresh) found->second.name = fmt::format("{}/{}", rack.row(), which == RackFeeds::A ? "A" : "B");
        return found->second;
    };
    for (const Rack& rack : floor.racks)
        for (const RackFeeds each : {RackFeeds::A, RackFeeds::B})
            if (rack.feeds == each || rack.feeds == RackFeeds::Both) feedOf(rack, each);
    for (const DeviceId d : fabric.devices.ids())
        if (const Rack* rack = floor.rackAt(d); rack && rack->feeds != RackFeeds::Both) feedOf(*rack, rack->feeds).devices.push_back(d);
    std::vector<RowFeed> result;
    for (auto& [key, feed] : feeds) result.push_back(std::move(feed));
    return result;
}

} // namespace railyard
