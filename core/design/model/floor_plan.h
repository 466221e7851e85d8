// The floor plan of the document: the kind of racks, rows, trays, and racks that were placed by hand.
// core/floor derives all positions from it. Lengths in metres.
#pragma once

#include "core/base/natural_order.h"
#include "core/base/shared_text.h"
#include "core/catalog/catalog.h"

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace railyard {

// A tile of the floor; row and position count from 1.
struct RackSpot {
    int row = 0, position = 0;
    auto operator<=>(const RackSpot&) const = default;
};

enum class LeafRacks : std::uint8_t { Middle, End };         // relative to the racks of their scalable unit
enum class CableMedium : std::uint8_t { Optical, ByLength }; // by length: copper where it is long enough

// Every row has two power feeds. What a rack hangs on: feed A or B alone, or both, of which either carries it (2N).
enum class RackFeeds : std::uint8_t { A, B, Both };
inline constexpr std::array<std::string_view, 3> rackFeedsNames{"a", "b", "a+b"};
// Of all racks without feeds of their own. Alternating: the racks of a row hang on A and B in turn.
enum class PowerFeeds : std::uint8_t { Redundant, Alternating, Single };
inline constexpr std::array<std::string_view, 3> powerFeedsNames{"a+b", "alternating", "a"};

struct FloorPlan {
    std::string rack;       // catalogue ID; empty: the rack designed for the servers, otherwise the smallest that fits
    int serversPerRack = 0; // 0: as many as power and height allow
    int rowRacks = 0;       // 0: as square as possible with whole scalable units
    Metres aisle{1.2}, trayHeight{2.7};
    Metres slack{1};             // at each end of a cable that leaves its rack; an assumption without a primary source
    double slackFraction = 0.05; // additional length as a fraction of the route
    LeafRacks leafRacks = LeafRacks::Middle;
    CableMedium medium = CableMedium::Optical;
    PowerFeeds feeds = PowerFeeds::Redundant;
    std::map<std::string, RackSpot, NaturalLess> moved;    // by name of the rack
    std::map<std::string, RackFeeds, NaturalLess> feedsOf; // by name of the rack
    SharedText unknown = {};                               // keys of the document that this version does not know
    bool operator==(const FloorPlan&) const = default;
};

// The rack for these servers (null: for switches only): the rack of the plan, otherwise the one designed for the servers,
// otherwise the smallest that holds two servers or one server. Null if the catalogue has none that fits.
const Part* rackFor(const FloorPlan& plan, const Part* server, const Catalog& catalog);
// The number of such servers per rack by height and power (maximum, or typical if unknown); a server of unknown height fills it.
int serversInRack(const Part& server, const RackPart& rack);

} // namespace railyard
