#include "core/collective/schedule/step_flows.h"

#include "core/fabric/switch_graph.h"
#include "core/routing/switches/ecmp.h"

#include <algorithm>
#include <map>

namespace railyard {
namespace {

std::vector<CommunicatorMember> membersAmong(const Fabric& fabric, const std::vector<DeviceId>& gpus) {
    std::vector<CommunicatorMember> members;
    for (const DeviceId gpu : gpus) members.push_back({gpu, fabric.devices.hbDomain[gpu]});
    return members;
}

} // namespace

StepFlows::StepFlows(const Fabric& fabric, const std::vector<DeviceId>& gpus)
    : m_members(membersAmong(fabric, gpus)),
      m_graph(trafficGraphOf(fabric)),
      m_layout(layOut(fabric, m_graph, FabricIndex(fabric, m_graph), m_members)),
      m_routes(fabric, m_graph, m_layout, m_members, std::make_shared<const TrafficRouter>(m_graph)) {
    std::vector<bool> isMember(fabric.devices.size());
    for (const DeviceId gpu : gpus) isMember[gpu] = true;
    for (const bool isOfMembers : {true, false})
        for (const LinkId l : fabric.links.ids()) {
            if (fabric.links.tier[l] != LinkTier::Pcie || isMember[fabric.links.a[l]] != isOfMembers) continue;
            auto& users = m_users[fabric.links.b[l]];
            if (isOfMembers || users.empty()) users.push_back(fabric.links.a[l]);
        }
}

// A NIC whose GPUs are all gone is used by the others of its domain.
std::vector<DeviceId> StepFlows::usersOf(std::uint32_t port) const {
    if (const auto own = m_users.find(m_layout.ports[port].nic); own != m_users.end()) return own->second;
    const auto isThere = [&](const CommunicatorMember& member) { return member.domain == m_layout.ports[port].domain; };
    return {std::find_if(m_members.begin(), m_members.end(), isThere)->gpu};
}

void StepFlows::addLane(const CommunicatorRoutes::Flow& flow, double units, std::vector<GpuFlow>& flows) const {
    const std::vector<DeviceId> from = usersOf(flow.out), to = usersOf(flow.in);
    for (std::size_t i = 0; i < from.size(); ++i)
        flows.push_back({from[i], to[i % to.size()], units / static_cast<double>(from.size()), m_layout.ports[flow.out].link,
                         m_layout.ports[flow.in].link});
}

StepFlows::Hops StepFlows::unitsOf(const CommunicatorRoutes::Hops& hops) const {
    Hops units;
    for (const auto& lanes : hops.all) {
        double all = 0;
        for (const CommunicatorRoutes::Flow& lane : lanes) all += lane.rate;
        auto& flows = units.emplace_back();
        for (const CommunicatorRoutes::Flow& lane : lanes)
            if (lane.rate > 0) addLane(lane, lane.rate / all, flows);
    }
    return units;
}

StepFlows::Hops StepFlows::ring() const { return unitsOf(m_routes.ring()); }
StepFlows::Hops StepFlows::trees() const { return unitsOf(m_routes.trees()); }

std::vector<GpuFlow> StepFlows::next(bool isForwarded) const {
    std::vector<GpuFlow> flows;
    for (std::size_t m = 0; m < m_members.size(); ++m) {
        const std::size_t after = (m + 1) % m_members.size();
        const auto from = m_members[m].gpu, to = m_members[after].gpu;
        if (m_members[m].domain == m_members[after].domain && m_members[m].domain != none) {
            flows.push_back({from, to, 1});
            continue;
        }
        const auto candidates = m_routes.hop(m, after, isForwarded);
        double all = 0;
        for (const CommunicatorRoutes::Flow& candidate : candidates) all += candidate.rate;
        for (const CommunicatorRoutes::Flow& candidate : candidates)
            flows.push_back({from, to, candidate.rate / all, m_layout.ports[candidate.out].link, m_layout.ports[candidate.in].link});
    }
    return flows;
}

// What GPUs without a way of their own send goes through the GPUs of their domain that have one.
std::vector<GpuFlow> StepFlows::root(bool isForwarded, bool isToRoot) const {
    const auto root = m_members.front().gpu;
    double outside = 0;
    std::unordered_map<DeviceId, double> own;                // by GPU: units that go through its NICs
    std::map<std::uint32_t, std::vector<DeviceId>> ofDomain; // in order: sums are the same with every library
    for (const CommunicatorMember& member : m_members)
        if (member.domain != m_members.front().domain) outside += 1, ofDomain[member.domain].push_back(member.gpu);
    std::vector<GpuFlow> flows;
    for (const CommunicatorRoutes::Flow& candidate : m_routes.rootFlows(isForwarded, isToRoot)) {
        const std::vector<DeviceId> users = usersOf(isToRoot ? candidate.out : candidate.in);
        const double units = candidate.rate * outside / static_cast<double>(users.size());
        for (const auto user : users) {
            own[user] += units;
            flows.push_back({isToRoot ? user : root, isToRoot ? root : user, units, m_layout.ports[candidate.out].link,
                             m_layout.ports[candidate.in].link});
        }
    }
    constexpr double rounding = 1e-9;
    for (const auto& [domain, gpus] : ofDomain) {
        double over = 0;
        for (const DeviceId gpu : gpus) over += std::max(0.0, own[gpu] - 1);
        for (const DeviceId gpu : gpus) {
            const double lacking = 1 - own[gpu];
            for (std::size_t i = 0; lacking > rounding && over > 0 && i < gpus.size(); ++i) {
                const double units = lacking * std::max(0.0, own[gpus[i]] - 1) / over;
                if (units > 0) flows.push_back({isToRoot ? gpu : gpus[i], isToRoot ? gpus[i] : gpu, units});
            }
        }
    }
    return flows;
}

} // namespace railyard
