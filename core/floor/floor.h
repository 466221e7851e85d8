// Racks in rows, devices at rack units, and how far it is from one port to another along the trays.
// Servers fill racks by power and units, SU by SU; leaf racks stand amid those of their SU; higher switches stand at the
// middle of what they join. Racks and devices placed by hand stay where they were put.
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

inline constexpr double rackUnitMetres = 0.04445;   // EIA-310
inline constexpr double inRackDressingMetres = 0.5; // both ends of a cable that stays in its rack; assumption

struct Rack {
    std::string name;           // su[3]/rack[2]; stays the same wherever the rack is moved
    std::string label;          // C07: row C, position 7
    const Part* part = nullptr; // a RackPart; null where the catalogue has none
    RackSpot spot;
    double x = 0, y = 0;                                                     // of its middle, metres
    bool moved = false;                                                      // by hand
    int servers = 0, switches = 0;                                           // switches: whatever is no server
    std::array<int, 5> switchesByTier{};                                     // by SwitchTier; None: managers and the like
    int units = 0;                                                           // in use
    Watts power;                                                             // sum of maximum, else typical
    double kg = 0;                                                           // of its devices
    bool unknownPower = false, unknownHeight = false, unknownWeight = false; // of some device in it; counted as 0 W, 1 U, 0 kg

    int height() const { return part ? part->as<RackPart>()->units : 48; }
};

// A server, switch or manager: what is screwed into a rack.
struct Chassis {
    std::uint32_t device = none; // of a server: its first device
    std::uint32_t server = none; // into Fabric::servers
    const Part* part = nullptr;
    std::uint32_t rack = none;
    int unit = 0, height = 1; // lowest unit, from 1
    bool byHand = false;
};

struct Floor {
    std::vector<Rack> racks;
    std::vector<Chassis> chassis;
    std::vector<std::uint32_t> chassisOf; // of every device; none where it belongs to none
    int rows = 0;
    Metres width, depth;                  // of the area the racks cover, with aisles between them
    Metres rackPitch{0.6}, rowPitch{2.4}; // from rack to rack, from row to row
    FloorPlan plan;

    bool isPlaced() const { return !racks.empty(); }
    const Chassis* chassisAt(std::size_t device) const {
        return device < chassisOf.size() && chassisOf[device] != none ? &chassis[chassisOf[device]] : nullptr;
    }
    const Rack* rackAt(std::size_t device) const {
        const Chassis* at = chassisAt(device);
        return at && at->rack != none ? &racks[at->rack] : nullptr;
    }
    // Cable to lay between two devices: Manhattan along the trays, both drops and slack; inside a rack the way between
    // the two units. Nothing where one stands in no rack.
    std::optional<Metres> route(std::uint32_t a, std::uint32_t b) const;
};

// Empty where the design has no floor plan; with `leafRacks` as if the plan said so.
Floor floorOf(const Fabric& fabric, std::optional<LeafRacks> leafRacks = {});
std::string chassisPath(const Fabric& fabric, const Chassis& chassis);

} // namespace railyard
