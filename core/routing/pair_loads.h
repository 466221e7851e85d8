// What NIC ports and links between switches carry when every GPU sends one unit to every other outside its HB domain.
#pragma once

#include "core/routing/nic_demands.h"
#include "core/routing/node_loads.h"

#include <map>
#include <optional>

namespace railyard {

struct PairLoads {
    std::vector<double> portUp, portDown;                             // by port
    NodeLoads between;                                                // by edge of the graph
    double served = 0;                                                // pairs, of two domains; what cannot arrive is in no load
    std::optional<std::pair<std::uint32_t, std::uint32_t>> tornApart; // switches that no way joins, if any
    // What a port does not get of a kind of sender (PortProduct::kind), for a weight of 1.
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> lostAt;
};
PairLoads loadsOfPairs(const SwitchGraph& graph, const GpuPorts& ports, bool isForwarded, Division division);

} // namespace railyard
