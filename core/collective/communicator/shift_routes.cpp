#include "core/collective/communicator/shift_routes.h"

#include "core/fabric/switch_graph.h"
#include "core/routing/switches/ecmp.h"

#include <utility>

namespace railyard {

ShiftRoutes::ShiftRoutes(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph, CommunicatorLayout layout,
                         std::vector<CommunicatorMember> members)
    : m_members(std::move(members)),
      m_graph(std::move(graph)),
      m_layout(std::move(layout)),
      m_of(fabric, *m_graph, m_layout, m_members) {}

std::vector<ShiftRoutes::Shift> ShiftRoutes::route(bool isAhead) const {
    const CommunicatorRoutes every = m_of.ofEveryMember();
    std::vector<Shift> shifts;
    for (std::size_t distance = 1; distance < m_members.size(); distance *= 2) {
        Shift& shift = shifts.emplace_back();
        shift.between = every.shift(distance, false, isAhead);
        for (std::size_t m = 0; m < m_members.size() && !shift.isInside; ++m) {
            const auto domain = m_members[m].domain;
            shift.isInside = domain != none && domain == m_members[(m + distance) % m_members.size()].domain;
        }
    }
    return shifts;
}

// Even fabrics carry as much either way.
const std::vector<ShiftRoutes::Shift>& ShiftRoutes::shifts(bool isAhead) const {
    if (isAhead || leadsUpEvenly(*m_graph)) {
        std::call_once(m_askedAhead, [this] { m_ahead = route(true); });
        return m_ahead;
    }
    std::call_once(m_askedBehind, [this] { m_behind = route(false); });
    return m_behind;
}

} // namespace railyard
