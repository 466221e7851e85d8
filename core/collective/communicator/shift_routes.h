// How fast a group's ranks can all send to the rank 1, 2, 4 … positions ahead.
#pragma once

#include "core/collective/communicator/communicator_routes.h"
#include "core/fabric/switch_graph.h"

#include <mutex>
#include <optional>
#include <vector>

namespace railyard {

class ShiftRoutes {
public:
    ShiftRoutes(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph, CommunicatorLayout layout,
                std::vector<CommunicatorMember> members);
    ShiftRoutes(const ShiftRoutes&) = delete;
    struct Shift {
        std::optional<CommunicatorLinks::Route> between; // empty if all stay inside their HB domains
        bool isInside = false;                           // some stay inside
    };
    // By distance, to the rank ahead or from it; routed when first asked for, which takes about as long as the rest of the group for
    // each of them.
    const std::vector<Shift>& shifts(bool isAhead) const;

    const std::vector<CommunicatorMember>& members() const { return m_members; }
    const SwitchGraph& graph() const { return *m_graph; }
    const CommunicatorLayout& layout() const { return m_layout; }
    const CommunicatorRoutes& of() const { return m_of; }

private:
    std::vector<CommunicatorMember> m_members;
    std::shared_ptr<const SwitchGraph> m_graph;
    CommunicatorLayout m_layout;
    CommunicatorRoutes m_of;
    std::vector<Shift> route(bool isAhead) const;
    mutable std::once_flag m_askedAhead, m_askedBehind;
    mutable std::vector<Shift> m_ahead, m_behind;
};

} // namespace railyard
