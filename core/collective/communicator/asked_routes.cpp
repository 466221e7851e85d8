#include "core/collective/communicator/asked_routes.h"

#include <utility>

namespace railyard {

AskedRoutes::AskedRoutes(const Fabric& fabric, std::shared_ptr<const FabricIndex> index, std::vector<CommunicatorMember> members,
                         std::shared_ptr<const GroupRoutes> routes, const CommunicatorLinks& links)
    : m_fabric(&fabric),
      m_index(std::move(index)),
      m_members(std::move(members)),
      m_routes(std::move(routes)),
      m_links(links) {}

const Exchanges& AskedRoutes::exchanges() const {
    return m_exchanges.get(
        [&] { return exchangesOf(*m_fabric, *m_index, m_routes->graph(), m_routes->router(), m_routes->layout(), m_members, m_links); });
}

} // namespace railyard
