// What links carry when every GPU of a group sends to every other, straight and forwarded through HB domains.
#pragma once

#include "core/collective/group_layout.h"

namespace railyard {

// Fills in direct, forwarded and busiestCut of the links. A way that is not there says why not.
void findExchanges(const Fabric& fabric, const SwitchGraph& graph, const GroupLayout& layout, const std::vector<GroupMember>& members,
                   GroupLinks& links);

} // namespace railyard
