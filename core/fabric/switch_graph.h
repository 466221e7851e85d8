// The NIC fabric as a graph of switches: parallel links are merged, and endpoints are attached to the switch of their cable.
#pragma once

#include "core/fabric/fabric.h"

#include <span>

namespace railyard {

struct SwitchGraph {
    struct Edge {
        std::uint32_t lower = 0, upper = 0; // nodes
        int links = 0;
        LinkTier tier = LinkTier::LeafSpine;
        Bandwidth capacity; // of all parallel links, per direction
    };
    // A NIC port that is connected to a leaf.
    struct Host {
        std::uint32_t nic = 0; // device
        std::uint32_t node = 0;
        Bandwidth capacity;
        std::uint32_t port = 1; // of the NIC
        std::uint32_t link = 0; // index in the fabric; hosts are in the order of their links
    };
    // The lower and upper switches of a tier boundary that are connected with each other (a pod, or the whole spine level).
    struct Group {
        LinkTier tier = LinkTier::LeafSpine;
        std::vector<std::uint32_t> lowers, uppers;
        bool even = true; // every lower switch has the same capacity to every upper switch
    };

    std::vector<std::uint32_t> device;    // by node
    std::vector<SwitchTier> tier;         // by node
    std::vector<double> uplink;           // by node: bit/s per direction of all edges to higher switches
    std::vector<Edge> edges;              // sorted by lower, upper
    std::vector<std::uint32_t> firstEdge; // by node: the edges upwards from v are firstEdge[v] ... firstEdge[v + 1] - 1
    std::vector<Host> hosts;
    std::vector<std::uint32_t> network; // by node: its connected component
    std::uint32_t networks = 0;
    std::vector<Group> groups;
    std::vector<std::uint32_t> groupAbove, groupBelow;           // by node; none if there is no such link
    bool even = true;                                            // all groups are regular
    std::vector<std::pair<std::uint32_t, std::uint32_t>> direct; // hand-drawn cables between NICs

    std::span<const Edge> edgesAbove(std::uint32_t node) const {
        return std::span(edges).subspan(firstEdge[node], firstEdge[node + 1] - firstEdge[node]);
    }
};

SwitchGraph switchGraphOf(const Fabric& fabric);
SwitchGraph hostsOf(const Fabric& fabric); // only the switches and hosts
// All lower switches are in one tier, and all upper switches in one higher tier.
bool leadsUpInTiers(const SwitchGraph& graph, const SwitchGraph::Group& group);
bool comesBefore(const SwitchGraph::Edge& x, const SwitchGraph::Edge& y); // by lower, then upper

} // namespace railyard
