// The endpoints of a bisection question and the cables they hang on.
#pragma once

#include "core/fabric/switch_graph.h"

namespace railyard {

enum class BisectionKey { Server, GpuNetworkOnly, GpuWithHb };

struct Endpoints {
    struct Attachment {
        std::uint32_t endpoint = 0, node = 0; // switch node
        double capacity = 0;                  // bit/s
    };
    std::vector<double> speed;           // bit/s of an endpoint's NIC ports
    std::vector<std::uint32_t> gpu;      // device, for GPU keys
    std::vector<std::uint32_t> hbDomain; // of an endpoint
    std::vector<std::uint32_t> rail;     // of an endpoint; 0 where several
    std::vector<Attachment> attachments;
    std::size_t size() const { return speed.size(); }
    double halfInjection() const; // sum of the floor(n/2) smallest speeds
};

// GPU g has the share of its NIC that is left after dividing it among the GPUs on it.
Endpoints endpointsOf(const Fabric& fabric, const SwitchGraph& graph, BisectionKey key);

} // namespace railyard
