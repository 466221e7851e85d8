// Traffic between GPUs, how switches route it, and the loads of links that follow.
#pragma once

#include "core/base/quantity.h"
#include "core/fabric/fabric.h"

#include <cstdint>
#include <string>
#include <vector>

namespace railyard {

struct GpuFlow {
    DeviceId from, to; // GPUs
    double volume = 1;
    LinkId out{}, in{}; // cables of the NIC ports to use; none: as GPUs divide their traffic
};
// Either a list of flows, or all-to-all with equal volumes.
struct GpuTraffic {
    bool isAllToAll = false;
    std::vector<GpuFlow> flows;
    std::vector<DeviceId> group{}; // all-to-all among these only, through the NICs of portsOfGroup; empty: all GPUs
};

// Ecmp: even division over all links of the shortest up-down paths, at every switch. Adaptive: in proportion to the speed of
// these links. Hash: every flow takes one of the links at each switch, derived from the seed.
enum class Routing { Ecmp, Adaptive, Hash };

struct RoutingOptions {
    Routing routing = Routing::Ecmp;
    int connectionsPerPair = 1; // for Hash
    // Forwarding through the HB domain (PXN): traffic leaves through the NIC on the rail of its destination.
    bool isForwarded = false;
    std::uint64_t seed = 1;
};

struct LinkLoads {
    std::vector<double> aToB, bToA;    // by link of the fabric
    Bandwidth ofGpu;                   // the rate of one unit: the highest NIC bandwidth of a GPU
    std::int64_t unreachablePairs = 0; // pairs of GPUs without a path; the loads exclude their traffic
    std::string unreachableExample;    // one of these pairs, with the reason

    double utilisation(const Fabric& fabric, LinkId link) const; // if every GPU sends at its full rate
};

} // namespace railyard
