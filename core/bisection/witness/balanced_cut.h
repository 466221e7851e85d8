// A balanced partition of the endpoints, and the smallest cut that separates its two sides.
#pragma once

#include "core/bisection/problem/bisection_problem.h"
#include "core/bisection/witness/max_flow.h"
#include "core/bisection/witness/merged_switches.h"

#include <optional>
#include <vector>

namespace railyard {

struct Cut {
    Bandwidth value;
    std::vector<bool> sourceSide;    // by node of the flow network
    std::vector<std::uint32_t> node; // by GPU and HB switch of split domains; none otherwise
    bool isOnA(NodeId switchNode) const { return sourceSide[switchNode + 2]; }
};
// The cuts of many partitions of one problem: the switches and their links are the same for all, and merged. With HB links, which domains
// are divided changes the network, so there it is built for each.
class CutNetwork {
public:
    explicit CutNetwork(const BisectionProblem& q);
    Cut cut(const std::vector<bool>& sideA) { return *cutBelow(sideA, MaxFlow::unlimited); }
    // Nothing if it costs the limit or more, which is often known before the whole flow is.
    std::optional<Cut> cutBelow(const std::vector<bool>& sideA, Bandwidth limit);
    Bandwidth value(const std::vector<bool>& sideA) { return valueBelow(sideA, MaxFlow::unlimited); }
    const MergedSwitches* merged() const { return m_flow ? &m_merged : nullptr; } // null with HB links

private:
    Bandwidth valueBelow(const std::vector<bool>& sideA, Bandwidth limit); // or the limit or more

    struct Port { // of merged switches with endpoints
        std::uint32_t at;
        std::uint32_t toA, toB; // edges
    };
    const BisectionProblem& m_q;
    MergedSwitches m_merged;
    std::optional<MaxFlow> m_flow;
    std::vector<Port> m_ports;
    std::vector<Bandwidth> m_toA, m_toB; // by number of merged switches
};
Cut cutOf(const BisectionProblem& q, const std::vector<bool>& sideA);
// The smallest of the cuts just above each tier (or above the endpoints), with every switch below on the side of most of its
// endpoints and all others on side B. In a regular fabric this is the minimum cut, found without max-flow. Empty if the
// partition splits HB domains.
std::optional<Cut> cheapestBetweenTiers(const BisectionProblem& q, const std::vector<bool>& sideA);
// The links that cross the cut and their capacity, by tier.
void describeCut(const BisectionProblem& q, const std::vector<bool>& sideA, const Cut& cut, Bisection& result);

} // namespace railyard
