// Flows that are followed one at a time, each on the single path selected by hashing.
#pragma once

#include "core/routing/gpus/gpu_ports.h"
#include "core/routing/link_loads.h"

namespace railyard {

struct PortFlow {
    std::uint32_t from = 0, to = 0; // ports
    DeviceId gpuFrom, gpuTo;
    double volume = 0, share = 1; // share of the traffic between the GPUs
};

struct HashedLoads {
    std::vector<double> aToB, bToA;                     // by link of the fabric, including NIC ports
    std::vector<std::pair<NodeId, NodeId>> unreachable; // sorted
};
// Each flow is divided into connections of equal volume. At every switch a connection takes one of the links of the shortest
// paths with equal probability, derived from the seed, the flow and the switch.
Result<HashedLoads> hashedLoads(const Fabric& fabric, const SwitchGraph& graph, const GpuPorts& ports, const std::vector<PortFlow>& flows,
                                const RoutingOptions& options);

// All-to-all as single flows. Errors: too many flows to follow.
Result<std::vector<GpuFlow>> everyPair(const Fabric& fabric, const RoutingOptions& options);

} // namespace railyard
