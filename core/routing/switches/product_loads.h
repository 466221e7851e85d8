// A product of senders and receivers over the stages of a fabric: what its leaves send up and get, and what that hands to the tiers above.
#pragma once

#include "core/routing/switches/stages.h"

#include <functional>
#include <map>

namespace railyard {

// Leaves whose ways up end in the same switches divide alike for all receivers that reach the same stages, as long as all ways between two
// pods are equally long. So the work grows with pods times leaves that failures have made different, not with the square of these.
class ProductLoads {
public:
    ProductLoads(const SwitchGraph& graph, const Stages& stages, const ProductDemand& demand); // all of them must outlive this

    // What goes up `arc` towards the switch at place `end` of the arc's stage.
    using Hand = std::function<void(const Stage::Arc& arc, std::uint32_t end, double volume)>;
    // Adds the loads of the edges above leaves, and the pairs of different leaves without a way. A leaf that sends to itself does so over
    // the switches above.
    void addTo(NodeLoads& loads, std::vector<PairDemand>& lost, const Hand& hand);

private:
    using Arcs = std::span<const Stage::Arc>;
    struct OfClass { // of leaves with the same arcs
        Arcs arcs;
        double sum = 0;
        std::vector<NodeWeight> members;
        std::size_t reach = 0;    // the stages that it reaches, as a number of m_reaches
        std::vector<double> load; // by arc: up of senders, down of receivers, for a weight of 1
    };
    // Classes of which no two reach different switches of a stage: as a rule, the leaves of a pod.
    struct Pod {
        std::uint32_t network = 0;
        std::vector<std::size_t> classes;
        std::vector<Stage::Arc> arcs;                        // one to each stage that any of them reaches
        std::vector<std::pair<std::size_t, double>> reaches; // of the classes, and the sum of their weights
    };
    // How the classes of a sending pod divide for receivers of one reach.
    struct Split {
        bool isKnown = false;
        double asked = 0;             // weight of the receivers
        std::vector<double> shares;   // class by class, by arc
        std::vector<double> volume;   // by arc of the pod, for receivers with a weight of 1
        std::vector<std::size_t> cut; // classes without any way
    };

    std::vector<OfClass> byClass(const std::vector<NodeWeight>& weights);
    std::vector<Pod> podsOf(const std::vector<OfClass>& classes) const;
    void send(const Pod& from, std::vector<PairDemand>& lost, const Hand& hand);
    void divideEvenly(const Pod& from, const Pod& to, std::vector<PairDemand>& lost, const Hand& hand);
    void divideByClass(const Pod& from, const Pod& to, std::vector<PairDemand>& lost, const Hand& hand);
    Split& splitFor(const Pod& from, std::size_t reach);
    bool haveEqualPaths(const Pod& from) const; // to the pod that is approached

    const SwitchGraph& m_graph;
    const Stages& m_stages;
    std::vector<std::vector<std::uint32_t>> m_reaches; // stages, ascending
    std::map<std::vector<std::uint32_t>, std::size_t> m_numberOfReach;
    std::vector<OfClass> m_from, m_to;
    std::vector<Pod> m_sendingPods, m_receivingPods;
    // Of the pod that sends:
    Approach m_approach;
    std::vector<Split> m_splits;             // by reach
    std::vector<std::uint32_t> m_arcOfStage; // by stage, of the arcs of the pod
    std::vector<bool> m_isReached;           // by stage, while a split is found
    std::vector<double> m_volume, m_down;    // by arc of the pod; by stage, of a class
};

} // namespace railyard
