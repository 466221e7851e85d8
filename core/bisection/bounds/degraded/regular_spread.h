// The even traffic distribution of an intact fabric and the failed share of each link: the basis of bounds after failures.
#pragma once

#include "core/bisection/problem/bisection_problem.h"

#include <optional>
#include <vector>

namespace railyard {

// Nodes are those of the intact graph. Every endpoint sends at full speed, upwards through all tiers in fixed shares; all
// endpoints of a network use its top switches in the same proportions, and no link exceeds its capacity. In a group whose
// pairs are all identical the shares are identical too, so that switches are counted instead of links.
struct RegularSpread {
    struct Up {
        NodeId lower, upper;
        double share, lost; // share of the flow of the lower switch; fraction of the capacity that failed
    };
    // The links upwards from the switches of one tier.
    struct Tier {
        std::vector<std::uint32_t> regular; // groups of the graph with identical pairs
        std::vector<Up> others;             // links of all other groups
        std::vector<Up> degraded;           // links of either kind with lost capacity
    };
    const BisectionProblem &now, &intact;
    const SwitchGraph& graph;        // of the intact fabric
    By<NodeId, NodeId> nodeOfIntact; // by node of the present graph
    std::vector<Tier> tiers;         // from the lowest tier upwards
    std::vector<bool> isTop;
    std::vector<Bandwidth> fromEnds, fromEndsNow; // by node: what its endpoints send, intact and now
    std::vector<Bandwidth> full;                  // by node: flow in the intact fabric
    std::vector<Bandwidth> injection;             // by network: what all endpoints send in the intact fabric

    // Moves the flow of the switches of a tier upwards by the shares, and back down.
    void sendUp(const Tier& tier, std::vector<Bandwidth>& flow) const;
    void sendDown(const Tier& tier, std::vector<double>& value) const;
    // The same for all tiers.
    std::vector<Bandwidth> sentUp(std::vector<Bandwidth> flow) const;
    // A value of the top switches as an average seen from the lower switches.
    std::vector<double> seenFromBelow(std::vector<double> value) const;
    std::vector<Up> everyLink() const; // from the lowest tier upwards
    // The flow of the links that failed, by their lower and by their upper switch.
    struct FailedFlow {
        std::vector<Bandwidth> above, below; // by node
    };
    FailedFlow failedFlow() const;
    bool isPod(std::uint32_t group) const; // leaves whose spines all lead to tops, or all are tops
};

// Empty if the intact fabric has no such distribution, or if the endpoints have changed. `nodeOfIntact`: the node of the intact
// graph for every node of the present graph, in ascending order.
std::optional<RegularSpread> regularSpreadOf(const BisectionProblem& now, const BisectionProblem& intact, By<NodeId, NodeId> nodeOfIntact);
By<NodeId, NodeId> nodesOfIntact(const BisectionProblem& now, const BisectionProblem& intact); // after failures in `intact`

// The maximum difference between the sums of two halves of these values.
Bandwidth largerHalfLessSmaller(std::vector<Bandwidth> values);

} // namespace railyard
