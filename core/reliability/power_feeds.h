// The power feeds of the rows of racks, and what hangs on each of them alone.
#pragma once

#include "core/fabric/fabric.h"

#include <string>
#include <vector>

namespace railyard {

struct RowFeed {
    std::string name;              // C/A: feed A of row C
    std::vector<DeviceId> devices; // in racks that have no other feed; empty where all racks of the row have both
};
// Every feed of a row that has a rack on it, row by row; empty without racks.
std::vector<RowFeed> rowFeedsOf(const Fabric& fabric);

// Some racks may hang on one feed.
bool hasSingleFeeds(const Design& design);

} // namespace railyard
