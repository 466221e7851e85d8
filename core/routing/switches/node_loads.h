// The load of every bundle of links between switches, from the traffic between leaves.
#pragma once

#include "core/fabric/switch_graph.h"

namespace railyard {

// The division of traffic among the shortest paths at a switch: evenly over links, or in proportion to their speed.
enum class Division { PerLink, PerCapacity };

struct NodeWeight {
    NodeId node;
    double weight = 0;
};
// Every node of `from` sends the product of the weights to every node of `to`. Traffic of a node to itself uses no link between
// switches.
struct ProductDemand {
    std::vector<NodeWeight> from, to;
};
struct PairDemand {
    NodeId from, to;
    double volume = 0; // negative if it subtracts a part of a product
};
// One demand for each pair of switches, in their order.
std::vector<PairDemand> mergedPairs(std::vector<PairDemand> pairs);
struct NodeDemands {
    std::vector<ProductDemand> products;
    std::vector<PairDemand> pairs;
};

struct NodeLoads {
    std::vector<double> up, down;                         // by edge of the graph, in the unit of the demands
    std::vector<std::pair<NodeId, NodeId>> unreachable{}; // from and to; sorted
};

// Up-down routing over the fewest switches, divided again at every switch over the remaining paths, as switches do after
// failures. Exact. Leaves with the same uplinks are handled together, and each connected part above a tier is one matrix: 65,536
// GPUs with 1 % failed links take tens of milliseconds. If a leaf reaches two switches of such a part (superspines that connect
// all spines of a pod), or if links skip a tier, one destination is handled at a time.
NodeLoads loadsBetweenNodes(const SwitchGraph& graph, const NodeDemands& demands, Division division);
// With the stages of the graph, see stages.h; null if it has none.
struct Stages;
NodeLoads loadsBetweenNodes(const SwitchGraph& graph, const NodeDemands& demands, Division division, const Stages* stages);
NodeLoads loadsOneByOne(const SwitchGraph& graph, const NodeDemands& demands, Division division); // without any shortcut

} // namespace railyard
