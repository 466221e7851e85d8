// The load of links when every GPU of a group sends to every other GPU, directly or with forwarding inside HB domains.
#pragma once

#include "core/collective/communicator/communicator_layout.h"
#include "core/collective/communicator/communicator_links.h"
#include "core/fabric/switch_graph.h"

namespace railyard {

class TrafficRouter;

struct Exchanges {
    CommunicatorLinks::Exchange direct, forwarded; // one that is not possible has a reason
    // Forwarded, divided over the networks by the speed of the NICs there, where the busiest NIC then has less to do.
    std::optional<CommunicatorLinks::Exchange> balanced;
    double busiestCut = 0; // see communicator_links.h
};

Exchanges exchangesOf(const Fabric& fabric, const FabricIndex& index, const SwitchGraph& graph, const TrafficRouter& router,
                      const CommunicatorLayout& layout, const std::vector<CommunicatorMember>& members, const CommunicatorLinks& links);

} // namespace railyard
