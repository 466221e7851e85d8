#include "core/routing/switches/stages.h"

#include "core/base/disjoint_sets.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace railyard {
namespace {

int rankOf(SwitchTier tier) { return static_cast<int>(tier); }

// Switches of tier `rank` that hang together by links of their tier and above.
void addStagesOfTier(const SwitchGraph& graph, int rank, Stages& stages) {
    DisjointSets sets(graph.device.size());
    for (const auto& edge : graph.edges)
        if (rankOf(graph.tier[edge.lower]) >= rank) sets.join(edge.lower, edge.upper);
    std::vector<std::uint32_t> stageOfRoot(graph.device.size(), none);
    for (const NodeId v : graph.nodes()) {
        if (rankOf(graph.tier[v]) != rank) continue;
        std::uint32_t& own = stageOfRoot[sets.find(v)];
        if (own == none) {
            own = static_cast<std::uint32_t>(stages.all.size());
            stages.all.emplace_back();
        }
        stages.stageOf[v] = own;
        stages.placeOf[v] = static_cast<std::uint32_t>(stages.all[own].nodes.size());
        stages.all[own].nodes.push_back(v);
    }
}

// Whether every switch reaches each stage in one place at most.
bool addArcs(const SwitchGraph& graph, Division division, Stages& stages) {
    std::vector<std::uint32_t> lastFrom(stages.all.size(), none); // of a stage: the switch last seen to reach it
    for (Stage& stage : stages.all) {
        for (const auto v : stage.nodes) {
            stage.firstArc.push_back(static_cast<std::uint32_t>(stage.arcs.size()));
            for (const auto& edge : graph.edgesAbove(v)) {
                const auto above = stages.stageOf[edge.upper];
                if (lastFrom[above] == v) return false;
                lastFrom[above] = v;
                stage.arcs.push_back({static_cast<std::uint32_t>(&edge - graph.edges.data()), above, stages.placeOf[edge.upper],
                                      division == Division::PerLink ? edge.links : edge.capacity.value()});
            }
        }
        stage.firstArc.push_back(static_cast<std::uint32_t>(stage.arcs.size()));
    }
    return true;
}

bool isComplete(const Stages& stages, const Stage& stage) {
    const auto first = stage.arcsOf(0);
    if (first.empty()) return false;
    for (const Stage::Arc& arc : first)
        if (!stages.all[arc.stage].arcsOf(arc.place).empty()) return false;
    for (std::uint32_t place = 1; place < stage.nodes.size(); ++place) {
        const auto own = stage.arcsOf(place);
        const bool equal = std::equal(own.begin(), own.end(), first.begin(), first.end(), [](const auto& a, const auto& b) {
            return a.stage == b.stage && a.place == b.place && a.weight == b.weight;
        });
        if (!equal) return false;
    }
    return true;
}

constexpr std::size_t mostIncomplete = 20'000; // switches of a stage: their table of hops takes 400 MB

// Places whose arcs end at the same switches, by the first of each: from them and to them the hops are the same.
std::vector<std::vector<std::uint32_t>> equalPlaces(const Stage& stage) {
    const auto endsBefore = [&stage](std::uint32_t a, std::uint32_t b) {
        const auto x = stage.arcsOf(a), y = stage.arcsOf(b);
        return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), [](const Stage::Arc& c, const Stage::Arc& d) {
            return c.stage != d.stage ? c.stage < d.stage : c.place < d.place;
        });
    };
    std::map<std::uint32_t, std::size_t, decltype(endsBefore)> known(endsBefore);
    std::vector<std::vector<std::uint32_t>> equal;
    for (std::uint32_t place = 0; place < stage.nodes.size(); ++place) {
        const auto [at, isNew] = known.try_emplace(place, equal.size());
        if (isNew) equal.emplace_back();
        equal[at->second].push_back(place);
    }
    return equal;
}

// Switches of different groups lead to no switch in common: from one to the other it is 2 hops more.
void findHops(const SwitchGraph& graph, Stage& stage, Approach& approach) {
    const std::size_t count = stage.nodes.size();
    const auto equal = equalPlaces(stage);
    std::vector<std::uint8_t> between(equal.size() * equal.size(), farAway); // also of two different places that are alike
    for (std::size_t to = 0; to < equal.size(); ++to) {
        approach.to(stage.arcsOf(equal[to].front()));
        for (std::size_t from = 0; from < equal.size(); ++from) {
            std::uint8_t least = farAway;
            const auto groupOf = [&](std::size_t places) { return graph.groupAbove[stage.nodes[equal[places].front()]]; };
            const std::uint8_t fewest = groupOf(from) == groupOf(to) ? 0 : 2;
            for (const Stage::Arc& arc : stage.arcsOf(equal[from].front())) {
                least = std::min(least, approach.hopsFrom(arc));
                if (least <= fewest) break;
            }
            if (least < farAway) between[from * equal.size() + to] = static_cast<std::uint8_t>(least + 2);
        }
    }
    stage.hops.resize(count * count);
    std::vector<std::uint8_t> row(count);
    for (std::size_t from = 0; from < equal.size(); ++from) {
        for (std::size_t to = 0; to < equal.size(); ++to)
            for (const std::uint32_t place : equal[to]) row[place] = between[from * equal.size() + to];
        for (const std::uint32_t place : equal[from]) {
            std::copy(row.begin(), row.end(), stage.hops.begin() + static_cast<std::ptrdiff_t>(place * count));
            stage.hops[place * count + place] = 0;
        }
    }
}

using Arcs = std::span<const Stage::Arc>;

struct ComesBefore { // uplinks to other switches, or of other weights
    bool operator()(Arcs a, Arcs b) const {
        const auto key = [](const Stage::Arc& arc) { return std::tuple(arc.stage, arc.place, arc.weight); };
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                            [&](const Stage::Arc& x, const Stage::Arc& y) { return key(x) < key(y); });
    }
};

void findEqual(Stage& stage) {
    std::map<Arcs, std::size_t, ComesBefore> known;
    for (std::uint32_t place = 0; place < stage.nodes.size(); ++place) {
        const auto [at, isNew] = known.try_emplace(stage.arcsOf(place), stage.equal.size());
        if (isNew) stage.equal.emplace_back();
        stage.equal[at->second].push_back(place);
    }
}

void findLeafClasses(Stages& stages) {
    stages.leafClassOf.assign(stages.stageOf.size(), none);
    constexpr ComesBefore comesBefore;
    std::map<Arcs, std::uint32_t, ComesBefore> known;
    std::uint32_t last = none; // neighbours are mostly alike
    const auto isLikeLast = [&](Arcs arcs) {
        if (last == none) return false;
        const Arcs there = stages.arcsOf(stages.leafClasses[last].front());
        return !comesBefore(arcs, there) && !comesBefore(there, arcs);
    };
    for (const auto s : stages.leaves)
        for (const auto v : stages.all[s].nodes) {
            const Arcs arcs = stages.arcsOf(v);
            const bool isAlone = arcs.empty();
            if (isAlone || !isLikeLast(arcs)) {
                const auto fresh = static_cast<std::uint32_t>(stages.leafClasses.size());
                last = isAlone ? fresh : known.try_emplace(arcs, fresh).first->second;
                if (last == fresh) stages.leafClasses.emplace_back();
            }
            stages.leafClassOf[v] = last;
            stages.leafClasses[last].push_back(v);
        }
}

} // namespace

std::optional<Stages> stagesOf(const SwitchGraph& graph, Division division) {
    for (const auto& edge : graph.edges)
        if (rankOf(graph.tier[edge.upper]) != rankOf(graph.tier[edge.lower]) + 1) return {};
    Stages stages;
    stages.stageOf.assign(graph.device.size(), none);
    stages.placeOf.assign(graph.device.size(), none);
    int highest = rankOf(SwitchTier::Leaf);
    for (const SwitchTier tier : graph.tier) highest = std::max(highest, rankOf(tier));
    for (int rank = rankOf(SwitchTier::Leaf); rank <= highest; ++rank) {
        addStagesOfTier(graph, rank, stages);
        if (rank == rankOf(SwitchTier::Leaf))
            for (std::uint32_t s = 0; s < stages.all.size(); ++s) stages.leaves.push_back(s);
    }
    if (!addArcs(graph, division, stages)) return {};
    Approach approach(stages); // one for all: it is as large as the fabric, and there may be a million stages
    for (std::size_t s = stages.all.size(); s-- > stages.leaves.size();) { // above first
        Stage& stage = stages.all[s];
        stage.isComplete = isComplete(stages, stage);
        if (!stage.isComplete && stage.nodes.size() > mostIncomplete) return {};
        if (stage.isComplete) continue;
        findHops(graph, stage, approach);
        findEqual(stage);
    }
    findLeafClasses(stages);
    return stages;
}

void divide(std::span<const Stage::Arc> arcs, const Approach& approach, Shares& shares) {
    shares.of.assign(arcs.size(), 0);
    std::uint8_t least = farAway;
    double sum = 0;
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        const std::uint8_t hops = approach.hopsFrom(arcs[i]);
        if (hops > least || hops == farAway) continue;
        if (hops < least) {
            std::fill_n(shares.of.begin(), i, 0.0);
            least = hops;
            sum = 0;
        }
        sum += shares.of[i] = arcs[i].weight;
    }
    shares.isAny = sum > 0;
    for (std::size_t i = 0; shares.isAny && i < arcs.size(); ++i) shares.of[i] /= sum;
}

} // namespace railyard
