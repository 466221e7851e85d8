// The steps of a collective for an animated drawing: the phases of its fastest algorithm in sequence, and the bytes that GPUs
// send to each other in each of them. Volumes and phases are those of its algorithm (algorithms/); neighbours are those of NCCL on the same
// fabric: concurrent rings or trees, one per rail that both domains have (neighbours.h).
#pragma once

#include "core/collective/collective.h"
#include "core/collective/communicator/neighbours.h"
#include "core/collective/played_steps.h"
#include "core/collective/schedule/schedule.h"
#include "core/routing/gpus/gpu_ports.h"
#include "core/routing/link_loads.h"

#include <set>

namespace railyard {

class CollectiveSteps : public PlayedSteps {
public:
    // All GPUs of the fabric, in path order. Errors: those of the group and of the operation.
    static Result<CollectiveSteps> create(const Fabric& fabric, CollectiveOp op, Bytes size, const CollectiveRequest& request = {},
                                          const Calibration& calibration = shippedCalibration());

    // These GPUs, starting with rank 0.
    static Result<CollectiveSteps> create(const Fabric& fabric, const std::vector<DeviceId>& gpus, CollectiveOp op, Bytes size,
                                          const CollectiveRequest& request = {}, const Calibration& calibration = shippedCalibration());

    // Sets the duration of each round of an exchange by its busiest link, instead of equal durations. Only needed for display.
    void weighRounds(const Fabric& fabric);

    std::string name() const override { return std::string(toText(m_result.op)); }
    std::string title() const override;
    const std::vector<CollectiveStep>& steps() const override { return m_steps; }
    const CollectiveResult& result() const { return m_result; }
    // The bytes of a step, from GPU to GPU.
    GpuTraffic trafficOf(std::size_t step) const;
    std::vector<std::pair<DeviceId, DeviceId>> hopsOf(std::size_t step) const override;
    Result<LinkLoads> loadsOf(const Fabric& fabric, std::size_t step) const override;
    // The loads of all steps together, during the whole collective.
    Result<LinkLoads> loadsOfAll(const Fabric& fabric) const;

private:
    using Shape = StepPlan::Shape;
    using Plan = StepPlan;
    void findFlows(const Fabric& fabric);
    RoutingOptions routing() const;
    bool isTooMany(const Plan& plan) const;
    void stayInside(double bytes, std::vector<GpuFlow>& flows) const;
    Result<LinkLoads> loadsOfPairs(const Fabric& fabric, double bytes) const;
    void addHops(const Plan& plan, std::set<std::pair<std::size_t, std::size_t>>& hops) const;
    void addFlows(const Plan& plan, std::vector<GpuFlow>& flows) const;

    const std::vector<std::vector<DeviceId>>& domains() const { return m_neighbours.domains(); }
    void insideRing(const Plan& plan, bool isRing, std::vector<GpuFlow>& flows) const;
    void addPair(DeviceId from, DeviceId to, double bytes, std::vector<GpuFlow>& flows) const;
    void betweenRing(const Plan& plan, std::vector<GpuFlow>& flows) const;
    void trees(const Plan& plan, std::vector<GpuFlow>& flows) const;
    bool shareARail(std::size_t domain, DeviceId a, DeviceId b) const;
    void forward(const Plan& plan, std::vector<GpuFlow>& flows) const;
    void rounds(const Plan& plan, std::vector<GpuFlow>& flows) const;
    void rooted(const Plan& plan, std::vector<GpuFlow>& flows) const;
    static void addTimes(double bytes, const std::vector<GpuFlow>& units, std::vector<GpuFlow>& flows);

    CollectiveResult m_result;
    std::vector<DeviceId> m_gpus;
    Neighbours m_neighbours;
    DeviceTable::Of<std::uint32_t> m_railOfGpu; // 0 on none
    std::vector<std::vector<GpuFlow>> m_hops;   // of the ring of domains or up the trees, whichever is used; one unit each
    std::shared_ptr<const GpuPorts> m_ports;    // of the group, if all ranks send to all others
    std::vector<GpuFlow> m_flows;               // to the next rank, or to or from the root; one unit per GPU
    std::vector<CollectiveStep> m_steps;
    std::vector<std::vector<Plan>> m_plans; // parallel to `m_steps`
};

} // namespace railyard
