#include "core/collective/communicator/shift_routes.h"

#include "core/fabric/switch_graph.h"

#include <utility>

namespace railyard {

ShiftRoutes::ShiftRoutes(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph, CommunicatorLayout layout,
                         std::vector<CommunicatorMember> members)
    : m_members(std::move(members)),
      m_graph(std::move(graph)),
      m_layout(std::move(layout)),
      m_of(fabric, *m_graph, m_layout, m_members) {}

const std::vector<CommunicatorLinks::Route>& ShiftRoutes::routes() const {
    std::call_once(m_once, [this] {
        const CommunicatorRoutes every = m_of.ofEveryMember();
        for (std::size_t distance = 1; distance < m_members.size(); distance *= 2) m_routes.push_back(every.shift(distance, false));
    });
    return m_routes;
}

} // namespace railyard
