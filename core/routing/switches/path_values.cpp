// The ways of single pairs through the stages.
#include "core/routing/switches/path_values.h"

#include "core/routing/switches/stages.h"

#include <algorithm>
#include <unordered_map>

namespace railyard {
namespace {

class StagePaths {
public:
    StagePaths(const Stages& stages, const NodeLoads& values) : m_stages(stages), m_values(values), m_known(stages.all.size()) {}

    double largest(std::uint32_t stage, std::uint32_t from, std::uint32_t to, std::size_t depth = 0) {
        const Stage& here = m_stages.all[stage];
        const std::uint64_t key = std::uint64_t{from} * here.nodes.size() + to;
        if (from == to) return 0;
        if (const auto known = m_known[stage].find(key); known != m_known[stage].end()) return known->second;
        double most = 0;
        for (const Step& step : stepsOf(here, from, to, depth)) {
            most = std::max({most, m_values.up[step.up], m_values.down[step.down]});
            most = std::max(most, largest(step.stage, step.from, step.to, depth + 1));
        }
        return m_known[stage][key] = most;
    }

private:
    struct Step {
        std::uint32_t up = 0, down = 0, stage = 0, from = 0, to = 0; // edges; the next stage's places
    };
    std::vector<Step> stepsOf(const Stage& here, std::uint32_t from, std::uint32_t to, std::size_t depth) {
        while (m_approaches.size() <= depth) m_approaches.emplace_back(m_stages);
        Approach& approach = m_approaches[depth];
        approach.to(here.arcsOf(to));
        const auto arcs = here.arcsOf(from);
        divide(arcs, approach, m_shares);
        std::vector<Step> steps;
        for (std::size_t i = 0; i < arcs.size(); ++i)
            if (m_shares.of[i] > 0)
                steps.push_back(
                    {arcs[i].edge, approach.edgeFrom(arcs[i].stage), arcs[i].stage, arcs[i].place, approach.placeIn(arcs[i].stage)});
        return steps;
    }

    const Stages& m_stages;
    const NodeLoads& m_values;
    std::vector<std::unordered_map<std::uint64_t, double>> m_known; // by stage: from and to
    std::vector<Approach> m_approaches;                             // by depth
    Shares m_shares;
};

} // namespace

std::vector<double> largestOnPaths(const SwitchGraph& graph, const Stages& stages, const std::vector<PairDemand>& pairs,
                                   const NodeLoads& values) {
    std::vector<double> result(pairs.size());
    StagePaths paths(stages, values);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (graph.network[pairs[i].from] == graph.network[pairs[i].to])
            result[i] = paths.largest(stages.stageOf[pairs[i].from], stages.placeOf[pairs[i].from], stages.placeOf[pairs[i].to]);
    return result;
}

} // namespace railyard
