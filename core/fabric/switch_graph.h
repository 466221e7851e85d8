// The NIC fabric as a graph of switches: parallel links merged, endpoints hung on the switch their cable ends on.
#pragma once

#include "core/fabric/fabric.h"

#include <span>

namespace railyard {

struct SwitchGraph {
    struct Edge {
        std::uint32_t lower = 0, upper = 0; // nodes
        int links = 0;
        LinkTier tier = LinkTier::LeafSpine;
        Bandwidth capacity; // one direction, all parallel links
    };
    // One NIC port on a leaf.
    struct Host {
        std::uint32_t nic = 0; // device
        std::uint32_t node = 0;
        Bandwidth capacity;
        std::uint32_t port = 1; // of the NIC
        std::uint32_t link = 0; // of the fabric; hosts stand in their order
    };
    // Lower and upper switches of one tier boundary that hang together (a pod, or the whole spine level).
    struct Group {
        LinkTier tier = LinkTier::LeafSpine;
        std::vector<std::uint32_t> lowers, uppers;
        bool even = true; // every lower has the same capacity to every upper
    };

    std::vector<std::uint32_t> device;    // of a node
    std::vector<SwitchTier> tier;         // of a node
    std::vector<double> uplink;           // of a node: bit/s, one direction, of all edges to switches above
    std::vector<Edge> edges;              // sorted by lower, upper
    std::vector<std::uint32_t> firstEdge; // of a node: those that rise from v are firstEdge[v] ... firstEdge[v + 1] - 1
    std::vector<Host> hosts;
    std::vector<std::uint32_t> network; // connected component of a node
    std::uint32_t networks = 0;
    std::vector<Group> groups;
    std::vector<std::uint32_t> groupAbove, groupBelow;           // of a node; none where there is no such link
    bool even = true;                                            // all groups are
    std::vector<std::pair<std::uint32_t, std::uint32_t>> direct; // NIC to NIC cables, drawn by hand

    std::span<const Edge> edgesAbove(std::uint32_t node) const {
        return std::span(edges).subspan(firstEdge[node], firstEdge[node + 1] - firstEdge[node]);
    }
};

SwitchGraph switchGraphOf(const Fabric& fabric);
SwitchGraph hostsOf(const Fabric& fabric); // its switches and hosts only
// All lower switches of one tier, all upper ones of one that is higher.
bool leadsUpInTiers(const SwitchGraph& graph, const SwitchGraph::Group& group);
bool comesBefore(const SwitchGraph::Edge& x, const SwitchGraph::Edge& y); // by lower, then upper

} // namespace railyard
