// What a group's domains get of the network when data goes from one to the next, down trees, or to and from the root.
#pragma once

#include "core/collective/group_layout.h"

namespace railyard {

Bandwidth ringBandwidth(const SwitchGraph& graph, const GroupLayout& layout, std::string& bottleneck);
void findNext(const Fabric& fabric, const SwitchGraph& graph, const GroupLayout& layout, const std::vector<GroupMember>& members,
              GroupLinks& links);

} // namespace railyard
