// The flows between GPUs and NIC ports for the steps that are displayed, consistent with the times (communicator_routes.h).
#pragma once

#include "core/collective/communicator/communicator_routes.h"
#include "core/fabric/switch_graph.h"
#include "core/routing/link_loads.h"

namespace railyard {

class StepFlows {
public:
    StepFlows(const Fabric& fabric, const std::vector<DeviceId>& gpus); // rank 0 first
    StepFlows(const StepFlows&) = delete;

    using Hops = std::vector<std::vector<GpuFlow>>;
    Hops ring() const;  // from each domain to the next, one unit each
    Hops trees() const; // child to parent, in the order of binaryTrees, one unit each
    // One unit from every rank to the next rank, also inside domains.
    std::vector<GpuFlow> next(bool isForwarded) const;
    // One unit from every GPU outside the domain of the root.
    std::vector<GpuFlow> root(bool isForwarded, bool isToRoot) const;

private:
    // From the GPUs of one port to the GPUs of another port, paired in turn.
    void addLane(const CommunicatorRoutes::Flow& flow, double units, std::vector<GpuFlow>& flows) const;
    Hops unitsOf(const CommunicatorRoutes::Hops& hops) const;
    std::vector<DeviceId> usersOf(std::uint32_t port) const;

    std::vector<CommunicatorMember> m_members;
    SwitchGraph m_graph;
    CommunicatorLayout m_layout;
    CommunicatorRoutes m_routes;
    std::unordered_map<DeviceId, std::vector<DeviceId>> m_users; // by NIC: members that use it, otherwise the first of its GPUs
};

} // namespace railyard
