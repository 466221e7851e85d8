// The switch graph by tier: a stage is the set of switches of a tier that are connected through higher tiers. If a switch has
// only one neighbour in each stage of the next tier, its traffic to that stage is one row of the matrix of the stage.
#pragma once

#include "core/fabric/switch_graph.h"
#include "core/routing/switches/node_loads.h"

#include <optional>

namespace railyard {

struct Stage {
    struct Arc { // to a switch one tier higher
        std::uint32_t edge = 0, stage = 0, place = 0;
        double weight = 0;
    };
    std::vector<NodeId> nodes;           // a place is an index in this list
    std::vector<std::uint32_t> firstArc; // by place, as in SwitchGraph
    std::vector<Arc> arcs;
    std::vector<std::uint8_t>
        hops;                // from place to place, size nodes.size() squared; farAway if there is no up-down path; empty if complete
    bool isComplete = false; // every switch has the same weights to the same switches, which are the top tier
    // Places with the same arcs, weight for weight: they divide and are approached in the same way. Empty if complete.
    std::vector<std::vector<std::uint32_t>> equal;

    std::span<const Arc> arcsOf(std::uint32_t place) const {
        return std::span(arcs).subspan(firstArc[place], firstArc[place + 1] - firstArc[place]);
    }
};
inline constexpr std::uint8_t farAway = 255;

struct Stages {
    std::vector<Stage> all;             // lowest tier first
    std::vector<std::uint32_t> stageOf; // by node
    std::vector<std::uint32_t> placeOf;
    std::vector<std::uint32_t> leaves; // the stages of leaves
    // Leaves with the same arcs, weight for weight; one without arcs is alone. By node its class.
    std::vector<std::vector<NodeId>> leafClasses;
    std::vector<std::uint32_t> leafClassOf;

    std::span<const Stage::Arc> arcsOf(NodeId node) const { return all[stageOf[node]].arcsOf(placeOf[node]); }
};

// Empty if links skip a tier, a switch has two neighbours in a stage above, or a stage is too large for a table of its hops.
std::optional<Stages> stagesOf(const SwitchGraph& graph, Division division);

// The stages above the destination's own in which the paths to it end, and the distance of each switch there.
class Approach {
public:
    explicit Approach(const Stages& stages) : m_stages(stages), m_place(stages.all.size(), none), m_edge(stages.all.size(), none) {}
    // Distances to the switches at the end of `arcs`; valid until the next call.
    void to(std::span<const Stage::Arc> arcs) {
        for (const auto stage : m_used) m_place[stage] = none;
        m_used.clear();
        for (const Stage::Arc& arc : arcs) {
            m_place[arc.stage] = arc.place;
            m_edge[arc.stage] = arc.edge;
            m_used.push_back(arc.stage);
        }
    }
    std::uint32_t placeIn(std::uint32_t stage) const { return m_place[stage]; }
    std::uint32_t edgeFrom(std::uint32_t stage) const { return m_edge[stage]; } // the last edge of the path
    std::uint8_t hopsFrom(const Stage::Arc& arc) const {
        const auto end = m_place[arc.stage];
        if (end == none) return farAway;
        const Stage& stage = m_stages.all[arc.stage];
        if (stage.isComplete) return arc.place == end ? 0 : 2;
        return stage.hops[std::size_t{arc.place} * stage.nodes.size() + end];
    }

private:
    const Stages& m_stages;
    std::vector<std::uint32_t> m_place, m_edge, m_used;
};

// The arcs on a shortest path, as shares of 1; empty if there is no path.
struct Shares {
    std::vector<double> of; // by arc; 0 if it is not on a shortest path
    bool isAny = false;
};
void divide(std::span<const Stage::Arc> arcs, const Approach& approach, Shares& shares);

} // namespace railyard
