// Load of every link, per direction, from what GPUs send to GPUs: over NICs and switches between HB domains, over the HB
// fabric inside. The unit is what one GPU sends in all.
#pragma once

#include "core/base/result.h"
#include "core/fabric/fabric.h"

#include <functional>
#include <string>

namespace railyard {

struct GpuFlow {
    std::uint32_t from = 0, to = 0; // GPUs, as devices
    double volume = 1;
    std::uint32_t out = none, in = none; // cables of the NIC ports it takes; none: as the GPUs divide what they send
};
// Either flows one by one, or every GPU to every other, the same to each.
struct GpuTraffic {
    bool isAllToAll = false;
    std::vector<GpuFlow> flows;
    std::vector<std::uint32_t> group{}; // all-to-all among these alone, through the NICs of portsOfGroup; empty: all GPUs
};

// Ecmp: evenly over the links of all shortest ways up and down, anew at every switch. Adaptive: in proportion to the speed of
// those links. Hash: every connection takes one of them at each switch, drawn by the seed.
enum class Routing { Ecmp, Adaptive, Hash };

struct RoutingOptions {
    Routing routing = Routing::Ecmp;
    int connectionsPerPair = 1; // of Hash
    // Forwarding through the HB domain: data leaves through the NIC that is on the rail of its destination.
    bool isForwarded = false;
    std::uint64_t seed = 1;
};

struct LinkLoads {
    std::vector<double> aToB, bToA;    // by link of the fabric
    Bandwidth ofGpu;                   // what the unit is sent at: the most a GPU's NIC ports carry
    std::int64_t unreachablePairs = 0; // of GPUs; what they would send is in no load
    std::string unreachableExample;    // one of them, and why

    double utilisation(const Fabric& fabric, std::size_t link) const; // where every GPU sends as fast as it can
};

// Errors: hashing more connections than can be followed one by one. Of a group nothing is hashed.
Result<LinkLoads> linkLoads(const Fabric& fabric, const GpuTraffic& traffic, const RoutingOptions& options);
// All-to-all, ecmp or adaptive, without the closed form of even_loads.h.
LinkLoads loadsOfAllPairs(const Fabric& fabric, const RoutingOptions& options, const std::vector<std::uint32_t>& group = {});

} // namespace railyard
