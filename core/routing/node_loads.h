// Load of every bundle of links between switches, from what leaves send to leaves.
#pragma once

#include "core/fabric/switch_graph.h"

namespace railyard {

// How a switch divides what it sends on among its shortest ways: evenly over links, or in proportion to their speed.
enum class Division { PerLink, PerCapacity };

struct NodeWeight {
    std::uint32_t node = 0;
    double weight = 0;
};
// Every node of `from` sends to every node of `to` the product of their weights. What a node sends itself uses no link
// between switches.
struct ProductDemand {
    std::vector<NodeWeight> from, to;
};
struct PairDemand {
    std::uint32_t from = 0, to = 0;
    double volume = 0; // below 0 where it takes back a part of a product
};
struct NodeDemands {
    std::vector<ProductDemand> products;
    std::vector<PairDemand> pairs;
};

struct NodeLoads {
    std::vector<double> up, down;                                       // by edge of the graph, in the unit of the demands
    std::vector<std::pair<std::uint32_t, std::uint32_t>> unreachable{}; // nodes, from and to; sorted
};

// Up and down over the fewest switches, divided anew at every switch over what is left, as switches do after failures.
// Exact. Leaves with the same uplinks are looked at as one, and what is above a tier as one matrix for each part of it that
// hangs together: 65,536 GPUs with 1 % of the links failed take tens of milliseconds. Where a leaf reaches two switches of
// one such part (superspines that join all spines of a pod), and where links skip a tier: one destination after the other.
NodeLoads loadsBetweenNodes(const SwitchGraph& graph, const NodeDemands& demands, Division division);
NodeLoads loadsOneByOne(const SwitchGraph& graph, const NodeDemands& demands, Division division); // the plain way

// Of every pair the largest value on any link bundle of its ways, by direction of travel; 0 where nothing joins it. Only where
// stagesOf the graph is something.
std::vector<double> largestOnWays(const SwitchGraph& graph, const std::vector<PairDemand>& pairs, const NodeLoads& values,
                                  Division division);

} // namespace railyard
