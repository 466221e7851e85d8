// How fast a group's ranks can all send to the rank 1, 2, 4 … positions ahead.
#pragma once

#include "core/collective/communicator/communicator_routes.h"
#include "core/fabric/switch_graph.h"

#include <mutex>

namespace railyard {

class ShiftRoutes {
public:
    ShiftRoutes(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph, CommunicatorLayout layout,
                std::vector<CommunicatorMember> members);
    ShiftRoutes(const ShiftRoutes&) = delete;
    // By distance; routed when first asked for, which takes about as long as the rest of the group for each of them.
    const std::vector<CommunicatorLinks::Route>& routes() const;

    const std::vector<CommunicatorMember>& members() const { return m_members; }
    const SwitchGraph& graph() const { return *m_graph; }
    const CommunicatorLayout& layout() const { return m_layout; }
    const CommunicatorRoutes& of() const { return m_of; }

private:
    std::vector<CommunicatorMember> m_members;
    std::shared_ptr<const SwitchGraph> m_graph;
    CommunicatorLayout m_layout;
    CommunicatorRoutes m_of;
    mutable std::once_flag m_once;
    mutable std::vector<CommunicatorLinks::Route> m_routes;
};

} // namespace railyard
