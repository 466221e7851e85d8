// What a collective sends when, for a drawing that moves: the phases of its fastest way, one after the other, and the bytes that
// GPUs send each other in each. Volumes are those of the formulas in ways.cpp; which GPU is whose neighbour follows what NCCL
// does on such fabrics: rings or trees side by side, one a rail that both domains reach (neighbours.h).
#pragma once

#include "core/collective/collective.h"
#include "core/collective/neighbours.h"
#include "core/routing/gpu_ports.h"
#include "core/routing/link_loads.h"

#include <set>

namespace railyard {

struct CollectiveStep {
    std::string name; // all-gather inside HB domains
    std::string what; // who sends what to whom
    Seconds start, duration;
};

class CollectiveSteps {
public:
    // All GPUs of the fabric, by path. Errors: those of the group and of the operation.
    static Result<CollectiveSteps> of(const Fabric& fabric, CollectiveOp op, Bytes size, const CollectiveRequest& request = {},
                                      const Calibration& calibration = shippedCalibration());

    // These GPUs, rank 0 first.
    static Result<CollectiveSteps> of(const Fabric& fabric, const std::vector<std::uint32_t>& gpus, CollectiveOp op, Bytes size,
                                      const CollectiveRequest& request = {}, const Calibration& calibration = shippedCalibration());

    // Rounds of an exchange as long as their busiest links ask for, not alike; for who shows them.
    void weighRounds(const Fabric& fabric);

    const std::vector<CollectiveStep>& steps() const { return m_steps; }
    const CollectiveResult& result() const { return m_result; }
    // Bytes of a step, GPU to GPU.
    GpuTraffic trafficOf(std::size_t step) const;
    // Who hands data to whom outside: of two HB domains a GPU each, the first of its domain. Nothing where all send to all, or to
    // several at once.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> hopsOf(std::size_t step) const;
    // Loads in bytes, and such that utilisation() is what a link carries on average while the step lasts.
    Result<LinkLoads> loadsOf(const Fabric& fabric, std::size_t step) const;
    // Of all steps together, while the whole lasts.
    Result<LinkLoads> loadsOfAll(const Fabric& fabric) const;

private:
    enum class Shape { Inside, Around, Between, TreesUp, TreesDown, Forward, Rounds, ToRoot, FromRoot, Neighbours };
    struct Plan { // several of them run side by side in a step
        Shape shape = Shape::Inside;
        double bytes = 0;                 // of one GPU, of a domain, of a pair, or of the whole message
        std::size_t first = 0, every = 1; // of Rounds: distances between domains
    };
    void add(std::string name, std::string what, Seconds duration, std::vector<Plan> plans);
    void findFlows(const Fabric& fabric);
    void addReduction();
    void addTrees(double share, Seconds duration, const std::vector<Plan>& beside);
    void addPhases();
    void addExchange();
    void addRounds(double bytes, Seconds duration);
    void addRooted();
    double size() const;
    RoutingOptions routing() const;
    bool isTooMany(const Plan& plan) const;
    Result<LinkLoads> loadsOfPairs(const Fabric& fabric, double bytes) const;
    void addHops(const Plan& plan, std::set<std::pair<std::size_t, std::size_t>>& hops) const;
    void addFlows(const Plan& plan, std::vector<GpuFlow>& flows) const;

    const std::vector<std::vector<std::uint32_t>>& domains() const { return m_neighbours.domains(); }
    void insideRing(const Plan& plan, bool isRing, std::vector<GpuFlow>& flows) const;
    void addPair(std::uint32_t from, std::uint32_t to, double bytes, std::vector<GpuFlow>& flows) const;
    void betweenRing(const Plan& plan, std::vector<GpuFlow>& flows) const;
    void trees(const Plan& plan, std::vector<GpuFlow>& flows) const;
    void forward(const Plan& plan, std::vector<GpuFlow>& flows) const;
    void rounds(const Plan& plan, std::vector<GpuFlow>& flows) const;
    void rooted(const Plan& plan, std::vector<GpuFlow>& flows) const;
    static void addTimes(double bytes, const std::vector<GpuFlow>& units, std::vector<GpuFlow>& flows);

    CollectiveResult m_result;
    std::vector<std::uint32_t> m_gpus;
    Neighbours m_neighbours;
    std::vector<std::vector<GpuFlow>> m_hops; // of the ring of domains, or up the trees, whichever is used; a unit each
    std::shared_ptr<const GpuPorts> m_ports;  // of the group, where all send to all
    std::vector<GpuFlow> m_flows;             // to the next rank, or with the root; a unit of every GPU
    std::vector<CollectiveStep> m_steps;
    std::vector<std::vector<Plan>> m_plans; // parallel
};

} // namespace railyard
