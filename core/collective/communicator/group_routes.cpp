#include "core/collective/communicator/group_routes.h"

#include "core/routing/switches/ecmp.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace railyard {

GroupRoutes::GroupRoutes(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph, CommunicatorLayout layout,
                         std::vector<CommunicatorMember> members, std::shared_ptr<const TrafficRouter> router)
    : m_members(std::move(members)),
      m_graph(std::move(graph)),
      m_layout(std::move(layout)),
      m_router(std::move(router)),
      m_of(fabric, *m_graph, m_layout, m_members, m_router) {}

bool GroupRoutes::areThoseOf(const SwitchGraph& graph, const CommunicatorLayout& layout,
                             const std::vector<CommunicatorMember>& members) const {
    const auto hasNoOwnNics = [](const CommunicatorLayout& of) {
        return std::all_of(of.isOrphan.begin(), of.isOrphan.end(), [](bool isOrphan) { return isOrphan; });
    };
    const auto partsOf = [](const CommunicatorPort& port) {
        return std::tuple(port.node, port.domain, port.key, port.capacity, port.gpus, port.nic, port.part, port.link);
    };
    const auto isSamePort = [&](const CommunicatorPort& a, const CommunicatorPort& b) { return partsOf(a) == partsOf(b); };
    const auto isSameDomain = [](const CommunicatorMember& a, const CommunicatorMember& b) { return a.domain == b.domain; };
    return &graph == m_graph.get() && hasNoOwnNics(layout) && hasNoOwnNics(m_layout) && layout.domains == m_layout.domains &&
           layout.planes == m_layout.planes && layout.nicOfGpu == m_layout.nicOfGpu && layout.nicsOfGpu == m_layout.nicsOfGpu &&
           std::equal(members.begin(), members.end(), m_members.begin(), m_members.end(), isSameDomain) &&
           std::equal(layout.ports.begin(), layout.ports.end(), m_layout.ports.begin(), m_layout.ports.end(), isSamePort);
}

const CommunicatorLinks::Route& GroupRoutes::ring() const {
    return m_ring.get([&] { return m_of.ring().slowest(); });
}

const CommunicatorLinks::Route& GroupRoutes::tree() const {
    return m_tree.get([&] { return m_of.trees().slowest(); });
}

const CommunicatorLinks::Route& GroupRoutes::next(bool isForwarded) const {
    return m_next[isForwarded].get([&] { return m_of.next(isForwarded); });
}

// Even fabrics carry as much either way.
const CommunicatorLinks::Route& GroupRoutes::root(bool isForwarded, bool isToRoot) const {
    if (isToRoot && leadsUpEvenly(*m_graph)) return root(isForwarded, false);
    return m_root[isForwarded][isToRoot].get([&] { return m_of.root(isForwarded, isToRoot); });
}

const std::optional<CommunicatorLinks::Route>& GroupRoutes::balancedRoot(bool isToRoot) const {
    return m_balancedRoot[isToRoot].get([&] { return m_of.balancedRoot(root(true, isToRoot), isToRoot); });
}

const std::optional<CommunicatorLinks::Route>& GroupRoutes::balancedNext() const {
    return m_balancedNext.get([&] { return m_of.balancedNext(next(true)); });
}

const std::vector<CommunicatorLinks::Shift>& GroupRoutes::shifts(bool isAhead) const {
    if (!isAhead && leadsUpEvenly(*m_graph)) return shifts(true);
    return m_shifts[isAhead].get([&] {
        const CommunicatorRoutes every = m_of.ofEveryMember();
        std::vector<CommunicatorLinks::Shift> shifts;
        for (std::size_t distance = 1; distance < m_members.size(); distance *= 2) {
            CommunicatorLinks::Shift& shift = shifts.emplace_back();
            shift.between = every.shift(distance, false, isAhead);
            for (std::size_t m = 0; m < m_members.size() && !shift.isInside; ++m) {
                const auto domain = m_members[m].domain;
                shift.isInside = domain != none && domain == m_members[(m + distance) % m_members.size()].domain;
            }
        }
        return shifts;
    });
}

} // namespace railyard
