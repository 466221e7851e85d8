// The switch graph seen tier by tier: a stage is all switches of one tier that hang together by what is above them. Where a
// switch reaches each of the next tier's stages in one place only, what it sends there is one row of that stage's matrix.
#pragma once

#include "core/fabric/switch_graph.h"
#include "core/routing/node_loads.h"

#include <optional>

namespace railyard {

struct Stage {
    struct Arc { // to a switch one tier higher
        std::uint32_t edge = 0, stage = 0, place = 0;
        double weight = 0;
    };
    std::vector<std::uint32_t> nodes;    // of the graph; a place is an index into them
    std::vector<std::uint32_t> firstArc; // of a place, as in SwitchGraph
    std::vector<Arc> arcs;
    std::vector<std::uint8_t> hops; // from place to place, nodes.size() squared; farAway where no way leads up and down
    bool isComplete = false;        // every switch has the same weights to the same switches, which are the top

    std::span<const Arc> arcsOf(std::uint32_t place) const {
        return std::span(arcs).subspan(firstArc[place], firstArc[place + 1] - firstArc[place]);
    }
};
inline constexpr std::uint8_t farAway = 255;

struct Stages {
    std::vector<Stage> all;             // lowest tier first
    std::vector<std::uint32_t> stageOf; // of a node
    std::vector<std::uint32_t> placeOf;
    std::vector<std::uint32_t> leaves; // stages of leaves
};

// Nothing where links skip a tier or a switch reaches a stage above in two places.
std::optional<Stages> stagesOf(const SwitchGraph& graph, Division division);

// Where the ways to a destination end in the stages above its own, and how far each switch there is from them.
class Approach {
public:
    explicit Approach(const Stages& stages) : m_stages(stages), m_place(stages.all.size(), none), m_edge(stages.all.size(), none) {}
    // To the switches that `arcs` lead to; they stand in until the next call.
    void to(std::span<const Stage::Arc> arcs) {
        for (const std::uint32_t stage : m_used) m_place[stage] = none;
        m_used.clear();
        for (const Stage::Arc& arc : arcs) {
            m_place[arc.stage] = arc.place;
            m_edge[arc.stage] = arc.edge;
            m_used.push_back(arc.stage);
        }
    }
    std::uint32_t placeIn(std::uint32_t stage) const { return m_place[stage]; }
    std::uint32_t edgeFrom(std::uint32_t stage) const { return m_edge[stage]; } // the last of the way
    std::uint8_t hopsFrom(const Stage::Arc& arc) const {
        const std::uint32_t end = m_place[arc.stage];
        if (end == none) return farAway;
        const Stage& stage = m_stages.all[arc.stage];
        return stage.hops[std::size_t{arc.place} * stage.nodes.size() + end];
    }

private:
    const Stages& m_stages;
    std::vector<std::uint32_t> m_place, m_edge, m_used;
};

// Of the arcs those on a shortest way, as shares of 1; empty where none leads there.
struct Shares {
    std::vector<double> of; // by arc; 0 off the shortest ways
    bool isAny = false;
};
void divide(std::span<const Stage::Arc> arcs, const Approach& approach, Shares& shares);

} // namespace railyard
