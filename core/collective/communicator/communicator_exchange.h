// The load of links when every GPU of a group sends to every other GPU, directly or with forwarding inside HB domains.
#pragma once

#include "core/collective/communicator/communicator_layout.h"
#include "core/fabric/switch_graph.h"

namespace railyard {

// Computes direct, forwarded and busiestCut. An exchange that is not possible has a reason.
void findExchanges(const Fabric& fabric, const SwitchGraph& graph, const CommunicatorLayout& layout,
                   const std::vector<CommunicatorMember>& members, CommunicatorLinks& links);

} // namespace railyard
