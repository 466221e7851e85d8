// Latency of the network without load: one way, between the NIC ports of two GPUs of different HB domains.
#pragma once

#include "core/bill/cabling.h"

#include <optional>
#include <string>

namespace railyard {

inline constexpr double cableSecondsPerMetre = 5e-9; // light in glass and signals in copper, at about two thirds of c
inline constexpr double serialisedBytes = 64;        // the packet that every link of a path takes in before it is passed on

struct PathLatency {
    Seconds switches, serialisation;
    Metres cable; // ordered length
    Seconds total() const { return switches + serialisation + Seconds(cable.value() * cableSecondsPerMetre); }
    PathLatency& operator+=(const PathLatency& more);
};

struct NetworkLatency {
    std::optional<PathLatency> mean;    // of all pairs with a network path; of several shortest paths as ECMP divides traffic
    std::optional<PathLatency> longest; // of all shortest paths of these pairs
    std::string why;                    // where one of them is empty: the switch without a published latency, no pair with a path, …
    std::int64_t unreachablePairs = 0;  // of GPUs, without a path that goes up and then down: in neither
};

NetworkLatency latencyOf(const Fabric& fabric, const Cabling& cabling);
// The longest path by a search from every switch with NICs, for any fabric; empty if that would take too long.
std::optional<PathLatency> longestOneByOne(const Fabric& fabric, const Cabling& cabling);

} // namespace railyard
