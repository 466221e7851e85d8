// Traffic over the NIC fabric as seen from the leaves. A unit is the share of an endpoint that is connected to one leaf.
#pragma once

#include "core/fabric/switch_graph.h"

#include <array>

namespace railyard {

struct TrafficUnit {
    NodeId node;              // leaf
    std::uint32_t domain = 0; // units of the same domain do not use the network between them
    std::uint32_t key = 0;    // only units with the same key exchange traffic (the rail, or 0 for all)
    double weight = 1;        // volume between two units = product of their weights
};

struct Traffic {
    enum class Kind { AllPairs, Ring } kind = Kind::AllPairs;
    std::vector<TrafficUnit> units;
    std::vector<std::uint32_t> next; // Ring: the unit that receives its weight; none if it only receives
};

// For all pairs: the traffic from each set of leaves to the rest of its network, which equals the traffic into it. set[node] is
// the number of its set; none = in no set.
std::vector<double> leavingSets(const SwitchGraph& graph, const Traffic& traffic, const std::vector<std::uint32_t>& set, std::size_t sets);
// For a ring or other traffic between units: the traffic out of every set, and into it.
std::array<std::vector<double>, 2> crossingSets(const Traffic& traffic, const std::vector<std::uint32_t>& set, std::size_t sets);
// The traffic from every node to the leaf `target`; 0 for itself.
void demandTowards(const Traffic& traffic, const std::vector<std::vector<std::uint32_t>>& unitsOfNode, NodeId target,
                   std::vector<double>& demand);

} // namespace railyard
