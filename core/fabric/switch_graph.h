// The NIC fabric as a graph of switches: parallel links are merged, and endpoints are attached to the switch of their cable.
#pragma once

#include "core/base/known_once.h"
#include "core/fabric/fabric.h"

#include <span>

namespace railyard {

struct SwitchGraph {
    struct Edge {
        NodeId lower, upper;
        int links = 0;
        LinkTier tier = LinkTier::LeafSpine;
        Bandwidth capacity; // of all parallel links, per direction
    };
    // A NIC port that is connected to a leaf, or to another NIC.
    struct Host {
        DeviceId nic;
        NodeId node;
        Bandwidth capacity;
        PortId port; // of the NIC
        LinkId link; // in the fabric; hosts are in the order of their links
    };
    // The lower and upper switches of a tier boundary that are connected with each other (a pod, or the whole spine level).
    struct Group {
        LinkTier tier = LinkTier::LeafSpine;
        std::vector<NodeId> lowers, uppers;
        bool regular = true; // every lower switch has the same capacity to every upper switch
    };

    By<NodeId, DeviceId> device; // none: a cable between two NICs
    By<NodeId, SwitchTier> tier;
    By<NodeId, Bandwidth> uplink;        // per direction, of all edges to higher switches
    std::vector<Edge> edges;             // sorted by lower, upper
    By<NodeId, std::uint32_t> firstEdge; // the edges upwards from v are firstEdge[v] ... firstEdge[v + 1] - 1
    std::vector<Host> hosts;
    By<NodeId, std::uint32_t> network; // connected component
    std::uint32_t networks = 0;
    std::vector<Group> groups;
    By<NodeId, std::uint32_t> groupAbove, groupBelow;  // none if there is no such link
    bool regular = true;                               // all groups are regular
    std::vector<std::pair<DeviceId, DeviceId>> direct; // hand-drawn cables between NICs
    KnownOnce leadsUpEvenly{};                         // see ecmp.h

    Indices<NodeId> nodes() const { return indices<NodeId>(device.size()); }
    std::span<const Edge> edgesAbove(NodeId node) const {
        return std::span(edges).subspan(firstEdge[node], firstEdge[std::size_t{node} + 1] - firstEdge[node]);
    }
};

SwitchGraph switchGraphOf(const Fabric& fabric);
// What traffic takes: each cable between two NICs is one more node, a leaf with these two hosts and without a device.
SwitchGraph trafficGraphOf(const Fabric& fabric);
SwitchGraph hostsOf(const Fabric& fabric); // only the switches and hosts
By<DeviceId, NodeId> nodesOfDevices(const Fabric& fabric, const SwitchGraph& graph);
// Adds what a NIC sends and gets over its link to the load of the link. Between two NICs, what one gets the other sends.
void addAtNic(const Fabric& fabric, LinkId link, DeviceId nic, double sent, double got, std::vector<double>& aToB,
              std::vector<double>& bToA);
// All lower switches are in one tier, and all upper switches in one higher tier.
bool leadsUpInTiers(const SwitchGraph& graph, const SwitchGraph::Group& group);
bool comesBefore(const SwitchGraph::Edge& x, const SwitchGraph::Edge& y); // by lower, then upper

} // namespace railyard
