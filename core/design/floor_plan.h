// What the document says about the hall: kind of racks, rows, trays, and racks that were placed by hand.
// Where everything stands follows from it in core/floor. Lengths in metres.
#pragma once

#include "core/base/natural_order.h"
#include "core/catalog/catalog.h"

#include <map>
#include <string>

namespace railyard {

// A tile of the hall, both from 1.
struct RackSpot {
    int row = 0, position = 0;
    auto operator<=>(const RackSpot&) const = default;
};

enum class LeafRacks : std::uint8_t { Middle, End };         // of the racks of their scalable unit
enum class CableMedium : std::uint8_t { Optical, ByLength }; // by length: copper where it reaches

struct FloorPlan {
    std::string rack;       // catalogue id; empty: the one made for the servers, else the smallest that holds one
    int serversPerRack = 0; // 0: as many as power and units allow
    int rowRacks = 0;       // 0: as square a hall as whole scalable units allow
    Metres aisle{1.2}, trayHeight{2.7};
    Metres slack{1};             // at each end of a cable that leaves its rack; no primary source gives a number
    double slackFraction = 0.05; // of the route, on top
    LeafRacks leafRacks = LeafRacks::Middle;
    CableMedium medium = CableMedium::Optical;
    std::map<std::string, RackSpot, NaturalLess> moved; // by name of the rack
};

// The rack for these servers (null: for switches alone): the plan's own, else the one made for them, else the smallest
// that holds two, else one. Null where the catalogue has none that fits.
const Part* rackFor(const FloorPlan& plan, const Part* server, const Catalog& catalog);
// How many such servers a rack holds by units and by power (maximum, else typical); a server of unknown height fills it.
int serversInRack(const Part& server, const RackPart& rack);

} // namespace railyard
