// Racks, and devices in them.
#pragma once

#include "core/design/edits/edit_result.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace railyard {

// Floor edits. Racks are named as in core/floor; an unknown rack name creates a rack. Unit 0: any free unit.
Result<Edit> placeRacks(const Design& design, bool on);
Result<Edit> setMedium(const Design& design, CableMedium medium);
Result<Edit> setPowerFeeds(const Design& design, PowerFeeds feeds); // of racks without feeds of their own
Result<Edit> moveRacks(const Design& design, const std::map<std::string, RackSpot>& spots);
Result<Edit> moveRacksBack(const Design& design);
// Empty: those of the floor plan.
Result<Edit> setFeedsOfRacks(const Design& design, const std::vector<std::string>& racks, std::optional<RackFeeds> feeds);
Result<Edit> mountInRack(const Design& design, const std::vector<std::string>& paths, const std::string& rack, int unit);

} // namespace railyard
