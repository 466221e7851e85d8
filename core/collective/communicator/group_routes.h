// The ways of a group through the network, each found when first asked for: the ring, trees, traffic to and from the root, and how fast
// all ranks can send to the rank 1, 2, 4 … positions ahead or behind. Groups that use the same ports in the same way share them.
#pragma once

#include "core/base/found_once.h"
#include "core/collective/communicator/communicator_routes.h"
#include "core/fabric/switch_graph.h"

#include <array>

namespace railyard {

class GroupRoutes {
public:
    GroupRoutes(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph, CommunicatorLayout layout,
                std::vector<CommunicatorMember> members, std::shared_ptr<const TrafficRouter> router);
    GroupRoutes(const GroupRoutes&) = delete;
    // Whether these members would get the same ways. Only known of groups without NICs of their own: they share those of their domains,
    // so it does not matter which GPUs they are.
    bool areThoseOf(const SwitchGraph& graph, const CommunicatorLayout& layout, const std::vector<CommunicatorMember>& members) const;

    using Route = CommunicatorLinks::Route;
    const Route& ring() const;
    const Route& tree() const;
    const Route& next(bool isForwarded) const;
    const Route& root(bool isForwarded, bool isToRoot) const;
    const std::optional<Route>& balancedRoot(bool isToRoot) const;
    const std::optional<Route>& balancedNext() const;
    // By distance, to the rank ahead or from it; takes about as long as the rest of the group for each of them.
    const std::vector<CommunicatorLinks::Shift>& shifts(bool isAhead) const;

    const SwitchGraph& graph() const { return *m_graph; }
    const TrafficRouter& router() const { return *m_router; }
    const CommunicatorLayout& layout() const { return m_layout; }
    const CommunicatorRoutes& routes() const { return m_of; }

private:
    std::vector<CommunicatorMember> m_members;
    std::shared_ptr<const SwitchGraph> m_graph;
    CommunicatorLayout m_layout;
    std::shared_ptr<const TrafficRouter> m_router;
    CommunicatorRoutes m_of;
    FoundOnce<Route> m_ring, m_tree;
    std::array<FoundOnce<Route>, 2> m_next;                // forwarded or not
    std::array<std::array<FoundOnce<Route>, 2>, 2> m_root; // forwarded or not, to the root or from it
    std::array<FoundOnce<std::optional<Route>>, 2> m_balancedRoot;
    FoundOnce<std::optional<Route>> m_balancedNext;
    std::array<FoundOnce<std::vector<CommunicatorLinks::Shift>>, 2> m_shifts; // ahead or behind
};

} // namespace railyard
