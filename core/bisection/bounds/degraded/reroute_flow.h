// What every leaf, spine and link carries when traffic is led around failures in a fabric of two or three tiers that was regular, for
// the argument of reroute_bound.cpp.
#pragma once

#include "core/bisection/bounds/degraded/hb_bound.h"
#include "core/bisection/bounds/degraded/regular_spread.h"

#include <optional>
#include <utility>
#include <vector>

namespace railyard {

struct RerouteFlow {
    // A link bundle of a leaf, with the flow it carries: intact, and led around failures.
    struct Uplink {
        NodeId leaf, spine;
        Bandwidth full, live, flow;
        Bandwidth missing() const { return full - flow; }
    };
    // Leaves that serve the same endpoints, and so stand together.
    struct Unit {
        std::vector<NodeId> leaves;
        std::vector<std::uint32_t> endpoints;
        Bandwidth full, lacks; // through its leaves before; of that, what its endpoints lost
    };
    struct Pod {
        std::vector<std::uint32_t> units;
        std::vector<NodeId> spines;
    };

    RerouteFlow(const RegularSpread& intactSpread, const std::optional<Imbalance>& sides);

    bool isSorted();            // false: the fabric does not have the shape of the argument
    void send(double heldBack); // of what a spine gets too much, the part that leaves hold back
    std::pair<Bandwidth, Bandwidth> passedAndLacking(std::uint32_t network) const;
    Bandwidth takeShares(std::uint32_t network); // Sets mostAhead. Returns what it costs that the endpoints of a unit have not the same
                                                 // part in each of its leaves.
    bool hasDeadUplinks(NodeId spine) const { return upNow[spine] < 1 - 1e-12; }

    const RegularSpread& spread;
    const std::optional<Imbalance> imbalance;
    const SwitchGraph& graph;
    std::size_t nodes;
    const Endpoints& ends;
    std::vector<Uplink> uplinks;
    std::vector<RegularSpread::Up> above;                              // of spines
    std::vector<std::vector<std::uint32_t>> uplinksOf, below, aboveOf; // of a leaf; below a spine; above a spine
    std::vector<Unit> units;
    std::vector<Pod> pods;
    std::vector<double> upNow;      // of a spine: fraction of its uplinks that is left; 1 at the top
    std::vector<double> passed;     // of a spine: fraction of what it gets
    std::vector<Bandwidth> missing; // of a spine: what it does not get
    Bandwidth mostAhead;            // H

private:
    bool splitEdges();
    bool takeUnits();
    void sendFromLeaves(double heldBack);
    void passOnAtSpines();
    Bandwidth aheadOfEvenShares(const Imbalance& sides, const std::vector<Bandwidth>& speedHere) const;
};

} // namespace railyard
