// The endpoints of a bisection and the cables that connect them to the switches.
#pragma once

#include "core/fabric/switch_graph.h"

namespace railyard {

enum class BisectionKey { Server, GpuNetworkOnly, GpuWithHb };

struct Endpoints {
    struct Attachment {
        std::uint32_t endpoint = 0;
        NodeId node;
        Bandwidth capacity;
    };
    std::vector<Bandwidth> speed;    // of the NIC ports of an endpoint
    std::vector<DeviceId> gpu;       // by endpoint, for GPU keys
    std::vector<DomainId> hbDomain;  // by endpoint
    std::vector<std::uint32_t> rail; // by endpoint; 0 if it has several rails
    std::vector<Attachment> attachments;
    bool isShared = false; // some GPUs use NICs of others, so their speed is not that of their own attachments
    std::size_t size() const { return speed.size(); }
    Bandwidth halfInjection() const; // sum of the floor(n/2) smallest speeds
};

// GPU g has its share of its NIC after dividing the NIC among its GPUs. With HB links, GPUs whose NICs were never cabled, as in a drawing
// that is not finished, send through those that HB links lead to: all GPUs there have even shares in them. A NIC that failed is not
// replaced.
Endpoints endpointsOf(const Fabric& fabric, const SwitchGraph& graph, BisectionKey key);

std::size_t networksInUse(const SwitchGraph& graph, const Endpoints& ends); // with a cable of an endpoint

} // namespace railyard
