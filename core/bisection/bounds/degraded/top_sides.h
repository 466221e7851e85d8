// Cuts of a fabric with failures by the sides that its top switches take.
#pragma once

#include "core/bisection/bounds/degraded/regular_spread.h"

#include <utility>
#include <vector>

namespace railyard {

// Lower bounds by the number of tops on side B, for one network of two or three tiers whose endpoints are alike, divided into halves.
class TopSides {
public:
    explicit TopSides(const RegularSpread& spread) : m_spread(spread), m_graph(spread.graph), m_nodes(spread.isTop.size()) {}

    bool apply(); // false if the fabric does not have the shape of the argument

    std::size_t tops() const { return m_topGains.empty() ? 0 : m_topGains.size() - 1; }
    // The least cut with `first` to `last` tops on B. Any price gives a bound; the best is looked for, from `price` on, until there is
    // `enough`.
    Bandwidth leastWithFew(std::size_t first, std::size_t last, Bandwidth enough, Bandwidth& price) const;
    Bandwidth leastWithMany(std::size_t first) const; // with as many or more, up to a half

private:
    // Leaves of a pod that serve the same endpoints.
    struct Unit {
        std::vector<NodeId> leaves;
        double endpoints = 0;
        std::vector<Bandwidth> lostOfEndpoint; // of those that lost cables, the most first
        std::vector<Bandwidth> lostOfLeaf;     // of their cables below each leaf
        std::vector<Bandwidth> gain;           // by number of leaves on B: failed above these or below the others, at most
        double leafCount() const { return static_cast<double>(leaves.size()); }
    };
    struct Pod {
        std::vector<Unit> units;
        std::vector<NodeId> leaves, spines;
        Bandwidth full;                     // of its leaves, intact
        double smallest = 1;                // share of a unit in that
        Bandwidth failedBelow, failedAbove; // at its spines
        Bandwidth gainAllOnB, gainOfRest;   // by its spines where all leaves are on B; at most, besides the leaves' own, where some are not
    };
    // Endpoints that are cabled to a node, in rising order, with the capacity.
    using Cables = std::vector<std::vector<std::pair<std::uint32_t, Bandwidth>>>;
    template <class NodeOf>
    static Cables cablesOf(const Endpoints& ends, std::size_t nodes, NodeOf nodeOf);

    bool takePods();
    void takeSpines(Pod& pod) const;
    bool takeTops();
    bool takeUnits();
    bool takeUnitsOf(Pod& pod, const Cables& before, const Cables& now, std::vector<int>& times) const;
    void takeLosses(Unit& unit, const Cables& before, const Cables& now) const;
    bool takePlanes();
    std::vector<std::uint32_t> planesOfNodes(std::uint32_t& planes) const; // of spines; of tops that leaves lead to
    std::vector<std::uint32_t> rowsOfSpines(const std::vector<std::uint32_t>& planeOf, std::uint32_t planes, std::size_t& rowsOfPod) const;

    double share(std::size_t onB) const { return static_cast<double>(onB) / static_cast<double>(tops()); }
    double odd() const { return m_spread.now.ends.size() % 2 == 1 ? 1 : 0; } // the number of endpoints by which the sides differ
    Bandwidth leastAt(double onB, Bandwidth price) const;
    Bandwidth leastOf(const Unit& unit, double onB, Bandwidth price) const;
    Bandwidth leastAllOnB(const Unit& unit, double onB, Bandwidth price) const;
    Bandwidth mostAgainst(const Pod& pod, const Unit& unit, double onB) const;

    const RegularSpread& m_spread;
    const SwitchGraph& m_graph;
    std::size_t m_nodes;
    std::vector<Pod> m_pods;
    std::vector<Bandwidth> m_failedAbove, m_failedBelow; // of a node: capacity to higher and to lower switches
    std::vector<Bandwidth> m_topGains;                   // [n]: of n tops on B, at most
    Bandwidth m_cable, m_speed;                          // of an endpoint: to one of its leaves, to all
    Bandwidth m_ofWholeUnits, m_ofImbalance;             // gain with many tops on B; more for an endpoint more on one side
};

} // namespace railyard
