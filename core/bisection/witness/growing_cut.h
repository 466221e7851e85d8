// The cheapest cut between two sets of endpoints that grow: what is added costs only the flow that it adds.
#pragma once

#include "core/bisection/witness/balanced_cut.h"
#include "core/bisection/witness/max_flow.h"
#include "core/bisection/witness/merged_switches.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace railyard {

class GrowingCut {
public:
    explicit GrowingCut(const BisectionProblem& q)
        : GrowingCut(q, q.key == BisectionKey::GpuWithHb ? MergedSwitches() : mergedSwitchesOf(q)) {}
    GrowingCut(const BisectionProblem& q, MergedSwitches merged) : m_q(q), m_merged(std::move(merged)) {} // where they are known
    // Of a partition: links and attachments. Networks that are alike are cut once.
    double work() const;

    struct State {
        MaxFlow::State flow;
        std::vector<bool> side;
    };
    // Before anything is placed.
    void start();
    // Endpoints on the same ports as this one.
    void place(std::uint32_t endpoint, std::size_t onA, std::size_t onB);
    void keep(State& in) const;
    void returnTo(const State& state);
    // No partition that continues this one has a cheaper cut. 0 with HB links, whose network depends on which domains are divided.
    Bandwidth lowerBound() { return m_flow ? m_flow->augmentOnce(0, 1) : Bandwidth(); }
    // Once every endpoint is placed. Of one that costs `enough` or more only that is known.
    Bandwidth value(Bandwidth enough = MaxFlow::unlimited);

private:
    struct Port {                       // of an endpoint
        std::uint32_t toA = 0, toB = 0; // edges of the flow
        Bandwidth capacity;
    };
    const BisectionProblem& m_q;
    MergedSwitches m_merged; // empty with HB links
    std::optional<MaxFlow> m_flow;
    std::vector<std::vector<Port>> m_ports; // by endpoint
    std::vector<bool> m_side;               // only with HB links
};

} // namespace railyard
