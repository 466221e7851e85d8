// What only some operations need to know of a group, found when first asked for: its ways through the network, and exchanges.
#pragma once

#include "core/collective/communicator/communicator_exchange.h"
#include "core/collective/communicator/group_routes.h"

namespace railyard {

class AskedRoutes {
public:
    // `links`: what is known of the group without this.
    AskedRoutes(const Fabric& fabric, std::shared_ptr<const FabricIndex> index, std::vector<CommunicatorMember> members,
                std::shared_ptr<const GroupRoutes> routes, const CommunicatorLinks& links);
    AskedRoutes(const AskedRoutes&) = delete;
    // Keeps a fabric that nothing else keeps. Otherwise the fabric must outlive this, or what needs it be found before.
    void keep(std::shared_ptr<const Fabric> fabric) { m_kept = std::move(fabric); }

    const GroupRoutes& routes() const { return *m_routes; }
    const Exchanges& exchanges() const; // needs the fabric

private:
    const Fabric* m_fabric;
    std::shared_ptr<const Fabric> m_kept;
    std::shared_ptr<const FabricIndex> m_index;
    std::vector<CommunicatorMember> m_members;
    std::shared_ptr<const GroupRoutes> m_routes;
    CommunicatorLinks m_links;
    FoundOnce<Exchanges> m_exchanges;
};

} // namespace railyard
