// Who sends to whom over the NIC fabric, seen from the leaves. A unit is a share of an endpoint on one leaf.
#pragma once

#include "core/fabric/switch_graph.h"

#include <array>

namespace railyard {

struct TrafficUnit {
    std::uint32_t node = 0;   // leaf
    std::uint32_t domain = 0; // units of one domain do not use the network between them
    std::uint32_t key = 0;    // only units of the same key talk (the rail, or 0 for all)
    double weight = 1;        // volume between two units = product of their weights
};

struct Traffic {
    enum class Kind { AllPairs, Ring } kind = Kind::AllPairs;
    std::vector<TrafficUnit> units;
    std::vector<std::uint32_t> next; // Ring: the unit that each sends its weight to; none where it only takes
};

// Of all pairs: what leaves each set of leaves for the rest of its network; as much comes in. set[node] numbers the sets, none = in
// no set.
std::vector<double> leavingSets(const SwitchGraph& graph, const Traffic& traffic, const std::vector<std::uint32_t>& set, std::size_t sets);
// Of a ring, or what else is sent from unit to unit: what leaves every set, and what comes in.
std::array<std::vector<double>, 2> crossingSets(const Traffic& traffic, const std::vector<std::uint32_t>& set, std::size_t sets);
// What every node sends to the leaf `target`, 0 for itself.
void demandTowards(const Traffic& traffic, const std::vector<std::vector<std::uint32_t>>& unitsOfNode, std::uint32_t target,
                   std::vector<double>& demand);

struct RoutedLoad {
    bool connected = true;
    double worst = 0;                  // largest load / capacity (per bit/s) of any switch-to-switch link
    std::string bottleneck;            // its tier
    std::vector<double> worstOfTarget; // by unit's leaf: the worst link on any way to it; infinite where some way is missing
};

// Whether what leaves a set of leaves really shares its uplinks evenly: groups are even, the switches of a pod lead up as widely as
// each other, and pods that meet at one top group meet at all of theirs. A pod without its spine 6 sends nothing over the spines
// 6 of the others.
bool leadsUpEvenly(const SwitchGraph& graph);
// Equal-cost multi-path, up and down, re-split at every switch, as switches re-hash after failures. In even fabrics by closed
// form per group, else tier by tier (node_loads.h), else flat, one destination leaf after the other. `worstOfTarget` of all
// pairs is left out where it is by tiers: nothing asks for it.
RoutedLoad routeTraffic(const SwitchGraph& graph, const Traffic& traffic);
RoutedLoad routeFlat(const SwitchGraph& graph, const Traffic& traffic);
RoutedLoad routeByTiers(const SwitchGraph& graph, const Traffic& traffic); // only where stagesOf(graph) is something
RoutedLoad routeEven(const SwitchGraph& graph, const Traffic& traffic);    // only where pods lead up alike

} // namespace railyard
