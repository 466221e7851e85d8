// The load of NIC ports and links between switches if every GPU sends one unit to every GPU outside its HB domain.
#pragma once

#include "core/routing/gpus/nic_demands.h"
#include "core/routing/switches/node_loads.h"

#include <map>
#include <optional>

namespace railyard {

struct Stages;

struct PairLoads {
    std::vector<double> portUp, portDown;                  // by port
    NodeLoads between;                                     // by edge of the graph
    double served = 0;                                     // pairs in different domains; loads exclude unreachable pairs
    std::optional<std::pair<NodeId, NodeId>> disconnected; // two switches without a path between them, if there are any
    // The units that a port does not get of a kind of sender (PortProduct::kind), for a weight of 1.
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> lostAt;
    // Of portUp, what other GPUs of the unit forward to the port: those without a port of their own on that rail of the network. A port
    // may stand here several times.
    struct Forwarded {
        std::uint32_t port = 0;
        std::uint64_t rail = 0;
        double volume = 0;
    };
    std::vector<Forwarded> forwarded;
};
// `stages`: those of the graph by this division, if they are known.
PairLoads loadsOfPairs(const SwitchGraph& graph, const GpuPorts& ports, bool isForwarded, Division division,
                       const Stages* stages = nullptr);
// The same over the ports that these products name.
PairLoads loadsOfProducts(const SwitchGraph& graph, const GpuPorts& ports, const std::vector<PortProduct>& products, Division division,
                          const Stages* stages = nullptr);

} // namespace railyard
