// Traffic over the NIC fabric as seen from the leaves. A unit is the share of an endpoint that is connected to one leaf.
#pragma once

#include "core/fabric/switch_graph.h"

#include <array>

namespace railyard {

struct TrafficUnit {
    std::uint32_t node = 0;   // leaf
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
void demandTowards(const Traffic& traffic, const std::vector<std::vector<std::uint32_t>>& unitsOfNode, std::uint32_t target,
                   std::vector<double>& demand);

struct RoutedLoad {
    bool connected = true;
    double worst = 0;                  // largest load / capacity (per bit/s) of a link between switches
    std::string bottleneck;            // the tier of this link
    std::vector<double> worstOfTarget; // by leaf of the destination: the worst link on any path to it; infinite if a path is missing
};

// True if the traffic out of a set of leaves divides evenly over its uplinks: groups are regular, all switches of a pod have equal
// uplinks, and pods that share a top group share all of them. A counterexample is a pod without its spine 6, which sends nothing
// over spine 6 of the other pods.
bool leadsUpEvenly(const SwitchGraph& graph);
// Equal-cost multi-path routing, up and down, divided again at every switch, as switches do after failures. Regular fabrics use a
// closed form per group, otherwise tier by tier (node_loads.h), otherwise one destination leaf at a time. With the tier-by-tier
// method `worstOfTarget` of all pairs is empty, because it is not used.
RoutedLoad routeTraffic(const SwitchGraph& graph, const Traffic& traffic);
RoutedLoad routeFlat(const SwitchGraph& graph, const Traffic& traffic);
RoutedLoad routeByTiers(const SwitchGraph& graph, const Traffic& traffic); // requires that stagesOf(graph) is not empty
RoutedLoad routeEven(const SwitchGraph& graph, const Traffic& traffic);    // requires that pods have equal uplinks

} // namespace railyard
