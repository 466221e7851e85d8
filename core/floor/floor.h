// Racks in rows, devices at rack units, and the cable length between two ports along the trays.
// Servers fill racks by power and height, SU by SU; leaf racks are in the middle of the racks of their SU; higher switches are
// in the middle of the switches they connect. Racks and devices that were placed by hand keep their position.
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

inline constexpr double rackUnitMetres = 0.04445;   // EIA-310
inline constexpr double inRackDressingMetres = 0.5; // for both ends of a cable inside a rack; assumption

struct Rack {
    std::string name;           // su[3]/rack[2]; does not change when the rack is moved
    std::string label;          // C07: row C, position 7
    const Part* part = nullptr; // a RackPart; null if the catalogue has none that fits
    RackSpot spot;
    double x = 0, y = 0;                                                     // of its centre, metres
    bool moved = false;                                                      // placed by hand
    RackFeeds feeds = RackFeeds::Both;                                       // of its row
    int servers = 0, switches = 0;                                           // switches: all devices that are not servers
    std::array<int, 5> switchesByTier{};                                     // by SwitchTier; None: managers and others
    int units = 0;                                                           // in use
    Watts power;                                                             // sum of maximum power, or typical where unknown
    double kg = 0;                                                           // total weight of its devices
    bool unknownPower = false, unknownHeight = false, unknownWeight = false; // of a device; it counts as 0 W, 1 U, 0 kg

    int height() const { return part ? part->as<RackPart>()->units : 48; }
    std::string_view row() const; // C
};

// A server, switch or manager that is mounted in a rack.
struct Chassis {
    DeviceId device; // for a server: its first device
    ServerId server; // index in Fabric::servers
    const Part* part = nullptr;
    std::uint32_t rack = none;
    int unit = 0, height = 1; // lowest unit, from 1
    bool byHand = false;
    bool isSwitchTray = false; // of a rack system: `device` is the first of its HB switches
};

// A switch of a network beside the compute fabric. It takes room in a rack, and is no device of the fabric.
struct Guest {
    std::string path; // storage/leaf[2]
    const Part* part = nullptr;
    std::uint32_t rack = none;
    int unit = 0, height = 1; // lowest unit, from 1
};

struct Floor {
    std::vector<Rack> racks;
    std::vector<Chassis> chassis;
    std::vector<Guest> guests;             // empty until core/floor/guests places them
    By<DeviceId, std::uint32_t> chassisOf; // none if it belongs to no chassis
    int rows = 0;
    Metres width, depth;                  // of the area covered by racks, including aisles between them
    Metres rackPitch{0.6}, rowPitch{2.4}; // distance between racks, and between rows
    FloorPlan plan;

    bool isPlaced() const { return !racks.empty(); }
    const Chassis* chassisAt(std::size_t device) const {
        return device < chassisOf.size() && chassisOf[device] != none ? &chassis[chassisOf[device]] : nullptr;
    }
    const Rack* rackAt(std::size_t device) const {
        const Chassis* at = chassisAt(device);
        return at && at->rack != none ? &racks[at->rack] : nullptr;
    }
    // The length of a cable between two devices: Manhattan distance along the trays, both vertical drops and slack; inside a rack
    // the distance between the two units. Empty if a device is not in a rack.
    std::optional<Metres> route(DeviceId a, DeviceId b) const;
};

// Empty if the design has no floor plan; with `leafRacks` as if the plan had this setting.
Floor floorOf(const Fabric& fabric, std::optional<LeafRacks> leafRacks = {});
std::string chassisPath(const Fabric& fabric, const Chassis& chassis);

} // namespace railyard
