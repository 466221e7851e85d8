// A block is a pattern: rows of devices and of other blocks with counts, and the rules for their wiring.
// Blocks are values behind shared_ptr<const Block> and are never changed in place.
#pragma once

#include "core/base/quantity.h"
#include "core/base/shared_text.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace railyard {

enum class DeviceKind : std::uint8_t { Gpu, Nic, HbSwitch, Switch, Manager, Host };
// What a kind of device does. Code asks for these properties rather than for kinds, so that a new kind is a row of deviceKinds.
struct DeviceKindInfo {
    std::string_view name;
    bool routes;   // it chooses the path of a packet, and has a tier
    bool mounted;  // it takes rack units of its own, not those of its server
    bool inDomain; // it is part of the HB domain of its server
};
inline constexpr std::array<DeviceKindInfo, 6> deviceKinds{{
    // name, routes, mounted, inDomain
    {"gpu", false, false, true},
    {"nic", false, false, true},
    {"hb-switch", false, false, true},
    {"switch", true, true, false},
    {"manager", false, true, false},
    {"host", false, true, false},
}};
constexpr const DeviceKindInfo& infoOf(DeviceKind kind) { return deviceKinds[static_cast<std::size_t>(kind)]; }

enum class SwitchTier : std::uint8_t { None, Leaf, Spine, Superspine, Core };
// The layer of a link: the switch tier at its upper end, or a link inside a server.
enum class LinkTier : std::uint8_t { HostLeaf, ManagerLeaf, LeafSpine, SpineSuperspine, SuperspineCore, Hb, Pcie };

std::string_view toText(DeviceKind kind);
std::string_view toText(SwitchTier tier); // empty for None
std::string_view toText(LinkTier tier);
std::optional<DeviceKind> deviceKindFrom(std::string_view text);
std::optional<SwitchTier> switchTierFrom(std::string_view text);

// What a newer version wrote into an object of the document and this version does not know: the text of a JSON object. It is kept
// and written again.
using UnknownKeys = SharedText;

struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

// Ports of one speed, in port order. A switch may have several groups (down at one speed, up at another).
struct PortGroup {
    int count = 0;
    Bandwidth speed;
    int lanes = 1; // ports that share a native port: 2 = every native port is split in two, named 1.1 and 1.2
    UnknownKeys unknown = {};
    bool operator==(const PortGroup&) const = default;
};

struct DeviceRow {
    std::string slug; // unique in its block, immutable
    DeviceKind kind = DeviceKind::Switch;
    SwitchTier tier = SwitchTier::None;
    std::string part; // catalogue ID, or empty
    int first = 1, count = 1;
    std::vector<PortGroup> ports;
    int plane = 0;                                                         // from 1; 0 = that of the enclosing scope
    enum class Rail : std::uint8_t { None, Own, Scope } rail = Rail::None; // Own: index in this row; Scope: that of the enclosing scope
    int railNumber = 0;                                                    // if above 0: this rail, regardless of `rail`
    std::optional<Point> at;                                               // position on the drawing, set by hand
    UnknownKeys unknown = {};
    bool operator==(const DeviceRow&) const = default;
};

struct Instance {
    std::string slug, block;
    int first = 1, count = 1;
    enum class Role : std::uint8_t { Plain, ScalableUnit, Pod, Rail, Server, HbDomain, Plane } role = Role::Plain;
    std::string part; // for a server: catalogue ID
    std::optional<Point> at;
    UnknownKeys unknown = {};
    bool operator==(const Instance&) const = default;
};

enum class WiringPattern : std::uint8_t {
    HbStar,  // a link from every lower device to every upper device of the same block
    HbMesh,  // a link between every pair of lower devices
    HbCube,  // eight GPUs in the hybrid cube mesh of DGX-1, with `uplinks` (4 or 6) links per GPU
    Pcie,    // GPU g to NIC floor(g * nics / gpus)
    Rail,    // NIC ports to the leaf of their rail and plane
    Chassis, // all NIC ports of a server in a plane to the same leaf, servers in order
    Spread,  // the uplinks of each lower device distributed evenly over the upper devices of its group
    Manager, // manager ports, one per leaf
};

std::string_view toText(WiringPattern pattern);
std::optional<WiringPattern> wiringPatternFrom(std::string_view text);

// `lower` and `upper` are device rows, named by the slugs on the path from the block of the rule: "su/leaf", "pod/spine".
struct WiringRule {
    std::string id;
    WiringPattern pattern = WiringPattern::Spread;
    std::string lower, upper;
    Bandwidth speed;
    int rails = 1;                  // Rail: rail of a NIC = its index in the server or HB domain mod rails
    bool railsByDomain = false;     // Rail: index counted through the HB domain instead of the server
    int planes = 1;                 // Rail, Chassis: plane of a NIC port = (index of the NIC * ports + port) mod planes
    int serversPerLeaf = 0;         // Chassis
    bool groupByPlane = false;      // Spread: the lower devices of a plane form a group, or `rails` groups together with groupByRail
    bool groupByRail = false;       // Spread: the lower devices of a rail form a group
    bool groupByIndex = false;      // Spread: the lower devices with the same index (spine s of every pod) form a group
    int run = 0;                    // Spread: maximum number of consecutive lower devices per group; HbStar: per upper device; 0 = all
    int uppersPerGroup = 0;         // Spread: switches of a group, 0 = all of its key; HbStar with a run: switches of a domain, 0 = one
    int uplinks = 0;                // Spread, HbCube: links per lower device; 0 = in proportion to its used downlinks, with the ratio below
    int downRatio = 1, upRatio = 1; // Spread with uplinks 0: links = ceil(used * upRatio / downRatio)
    int downPorts = 0;              // Spread: ports of a lower device before its first uplink
    int ports = 0;                  // Manager: total number of ports
    UnknownKeys unknown = {};
    bool operator==(const WiringRule&) const = default;
};

// A hand-drawn cable between two ports of its block.
struct FreeLink {
    std::string a, b; // "leaf[1]:17"; a is the lower end
    UnknownKeys unknown = {};
    bool operator==(const FreeLink&) const = default;
};

struct Block {
    std::string name;
    std::vector<DeviceRow> devices;
    std::vector<Instance> instances;
    std::vector<WiringRule> wiring;
    std::vector<FreeLink> links;
    UnknownKeys unknown = {};
};

using BlockPointer = std::shared_ptr<const Block>;
BlockPointer shared(Block block); // allocates no spare capacity, because blocks never grow and the history keeps thousands of them

} // namespace railyard
