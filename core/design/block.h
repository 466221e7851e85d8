// A block is a pattern: rows of devices and of other blocks with counts, and rules that wire them.
// Blocks are values behind shared_ptr<const Block>; nothing edits one in place.
#pragma once

#include "core/base/quantity.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace railyard {

enum class DeviceKind : std::uint8_t { Gpu, Nic, HbSwitch, Switch, Manager, Host };
enum class SwitchTier : std::uint8_t { None, Leaf, Spine, Superspine, Core };
// Which layer a link belongs to: the switch tier at its upper end, or what joins GPUs inside a server.
enum class LinkTier : std::uint8_t { HostLeaf, ManagerLeaf, LeafSpine, SpineSuperspine, SuperspineCore, Hb, Pcie };

std::string_view toText(DeviceKind kind);
std::string_view toText(SwitchTier tier); // empty for None
std::string_view toText(LinkTier tier);
std::optional<DeviceKind> deviceKindFrom(std::string_view text);
std::optional<SwitchTier> switchTierFrom(std::string_view text);

struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

// Ports of one speed, in port order. A switch may have several groups (down at one speed, up at another).
struct PortGroup {
    int count = 0;
    Bandwidth speed;
    int lanes = 1; // ports that share one native port: 2 = every native port is split in two, named 1.1 and 1.2
    bool operator==(const PortGroup&) const = default;
};

struct DeviceRow {
    std::string slug; // unique in its block, never changed
    DeviceKind kind = DeviceKind::Switch;
    SwitchTier tier = SwitchTier::None;
    std::string part; // catalogue id, or empty
    int first = 1, count = 1;
    std::vector<PortGroup> ports;
    int plane = 0;                                                         // from 1; 0 = that of the enclosing scope
    enum class Rail : std::uint8_t { None, Own, Scope } rail = Rail::None; // Own: index in this row; Scope: that of the enclosing scope
    int railNumber = 0;                                                    // above 0: this rail, whatever `rail` says
    std::optional<Point> at;                                               // hand-placed on the drawing
};

struct Instance {
    std::string slug, block;
    int first = 1, count = 1;
    enum class Role : std::uint8_t { Plain, ScalableUnit, Pod, Rail, Server, HbDomain, Plane } role = Role::Plain;
    std::string part; // of a server: catalogue id
    std::optional<Point> at;
};

enum class WiringPattern : std::uint8_t {
    HbStar,  // every lower device one link to every upper device of the same block
    HbMesh,  // every pair of lower devices one link
    HbCube,  // eight GPUs as the hybrid cube mesh of DGX-1, `uplinks` (4 or 6) links a GPU
    Pcie,    // GPU g to NIC floor(g * nics / gpus)
    Rail,    // NIC ports to the leaf of their rail and plane
    Chassis, // all NIC ports of a server in one plane to one leaf, servers in order
    Spread,  // the uplinks of each lower device spread evenly over the upper devices of its group
    Manager, // manager ports, one a leaf
};

std::string_view toText(WiringPattern pattern);
std::optional<WiringPattern> wiringPatternFrom(std::string_view text);

// lower and upper name device rows by the slugs on the way from the rule's own block: "su/leaf", "pod/spine".
struct WiringRule {
    std::string id;
    WiringPattern pattern = WiringPattern::Spread;
    std::string lower, upper;
    Bandwidth speed;
    int rails = 1;              // Rail: rail of a NIC = its index in the server or HB domain mod rails
    bool railsByDomain = false; // Rail: index counted through the HB domain instead of the server
    int planes = 1;             // Rail, Chassis: plane of a NIC port = (index of the NIC * ports + port) mod planes
    int serversPerLeaf = 0;     // Chassis
    bool groupByPlane = false;  // Spread: lowers of one plane form groups of their own, `rails` of them with groupByRail
    bool groupByRail = false;   // Spread: lowers of one rail form groups of their own
    bool groupByIndex = false;  // Spread: lowers of one index (spine s of every pod) form a group
    int run = 0;                // Spread: at most this many consecutive lowers a group; 0 = all
    int uppersPerGroup = 0;
    int uplinks = 0;                // Spread, HbCube: links of every lower; 0 = as many as its used down-ports, at the ratio below
    int downRatio = 1, upRatio = 1; // Spread with uplinks 0: links = ceil(used * upRatio / downRatio)
    int downPorts = 0;              // Spread: ports of a lower below its first uplink
    int ports = 0;                  // Manager: how many ports in all
};

// One hand-drawn cable between two ports of its block.
struct FreeLink {
    std::string a, b; // "leaf[1]:17"; a is the lower end
    bool operator==(const FreeLink&) const = default;
};

struct Block {
    std::string name;
    std::vector<DeviceRow> devices;
    std::vector<Instance> instances;
    std::vector<WiringRule> wiring;
    std::vector<FreeLink> links;
};

using BlockPointer = std::shared_ptr<const Block>;
BlockPointer shared(Block block); // without room to grow: nobody will, and the history keeps thousands

} // namespace railyard
