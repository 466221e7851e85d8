#include "core/routing/switches/product_loads.h"

#include <algorithm>

namespace railyard {
namespace {

// In no stage do these lead to two switches.
bool areCompatible(std::span<const Stage::Arc> own, std::span<const Stage::Arc> more) {
    return std::all_of(more.begin(), more.end(), [&](const Stage::Arc& arc) {
        return std::all_of(own.begin(), own.end(),
                           [&](const Stage::Arc& other) { return other.stage != arc.stage || other.place == arc.place; });
    });
}

template <class OfClass>
void addLost(const OfClass& from, const OfClass& to, std::vector<PairDemand>& lost) {
    for (const NodeWeight& a : from.members)
        for (const NodeWeight& b : to.members)
            if (a.node != b.node) lost.push_back({a.node, b.node, a.weight * b.weight});
}

} // namespace

ProductLoads::ProductLoads(const SwitchGraph& graph, const Stages& stages, const ProductDemand& demand)
    : m_graph(graph),
      m_stages(stages),
      m_from(byClass(demand.from)),
      m_to(byClass(demand.to)),
      m_sendingPods(podsOf(m_from)),
      m_receivingPods(podsOf(m_to)),
      m_approach(stages),
      m_arcOfStage(stages.all.size(), none),
      m_isReached(stages.all.size()),
      m_down(stages.all.size()) {}

std::vector<ProductLoads::OfClass> ProductLoads::byClass(const std::vector<NodeWeight>& weights) {
    std::map<std::uint32_t, OfClass> found;
    for (const NodeWeight& each : weights) {
        if (each.weight == 0) continue;
        OfClass& own = found[m_stages.leafClassOf[each.node]];
        own.sum += each.weight;
        own.members.push_back(each);
    }
    std::vector<OfClass> result;
    for (auto& [leafClass, own] : found) {
        own.arcs = m_stages.arcsOf(own.members.front().node);
        own.load.assign(own.arcs.size(), 0);
        std::vector<std::uint32_t> stages;
        for (const Stage::Arc& arc : own.arcs) stages.push_back(arc.stage);
        std::sort(stages.begin(), stages.end());
        const auto [at, isNew] = m_numberOfReach.try_emplace(stages, m_reaches.size());
        if (isNew) m_reaches.push_back(std::move(stages));
        own.reach = at->second;
        result.push_back(std::move(own));
    }
    return result;
}

std::vector<ProductLoads::Pod> ProductLoads::podsOf(const std::vector<OfClass>& classes) const {
    std::vector<Pod> pods;
    std::map<std::uint32_t, std::size_t> known; // by the group above
    for (std::size_t c = 0; c < classes.size(); ++c) {
        const Arcs arcs = classes[c].arcs;
        const NodeId leaf = classes[c].members.front().node;
        const auto at = known.find(m_graph.groupAbove[leaf]);
        if (at == known.end() || !areCompatible(pods[at->second].arcs, arcs)) {
            known.insert_or_assign(m_graph.groupAbove[leaf], pods.size());
            pods.push_back({m_graph.network[leaf], {c}, {arcs.begin(), arcs.end()}, {}});
            continue;
        }
        Pod& pod = pods[at->second];
        pod.classes.push_back(c);
        for (const Stage::Arc& arc : arcs)
            if (std::none_of(pod.arcs.begin(), pod.arcs.end(), [&](const Stage::Arc& own) { return own.stage == arc.stage; }))
                pod.arcs.push_back(arc);
    }
    for (Pod& pod : pods) {
        std::map<std::size_t, double> weights;
        for (const std::size_t c : pod.classes) weights[classes[c].reach] += classes[c].sum;
        pod.reaches.assign(weights.begin(), weights.end());
    }
    return pods;
}

void ProductLoads::addTo(NodeLoads& loads, std::vector<PairDemand>& lost, const Hand& hand) {
    for (const Pod& pod : m_sendingPods) send(pod, lost, hand);
    for (const auto* side : {&m_from, &m_to})
        for (const OfClass& each : *side)
            for (const NodeWeight& member : each.members) {
                const Arcs arcs = m_stages.arcsOf(member.node);
                std::vector<double>& edges = side == &m_from ? loads.up : loads.down;
                for (std::size_t i = 0; i < arcs.size(); ++i) edges[arcs[i].edge] += each.load[i] * member.weight;
            }
}

void ProductLoads::send(const Pod& from, std::vector<PairDemand>& lost, const Hand& hand) {
    m_splits.assign(m_reaches.size(), {});
    for (std::uint32_t i = 0; i < from.arcs.size(); ++i) m_arcOfStage[from.arcs[i].stage] = i;
    for (const Pod& to : m_receivingPods) {
        m_approach.to(to.arcs);
        if (from.network == to.network && haveEqualPaths(from))
            divideEvenly(from, to, lost, hand);
        else
            divideByClass(from, to, lost, hand);
    }
    for (const Split& split : m_splits) {
        if (!split.isKnown) continue;
        auto share = split.shares.begin();
        for (const std::size_t c : from.classes)
            for (double& load : m_from[c].load) load += *share++ * split.asked;
    }
    for (const Stage::Arc& arc : from.arcs) m_arcOfStage[arc.stage] = none;
}

bool ProductLoads::haveEqualPaths(const Pod& from) const {
    int hops = -1;
    for (const Stage::Arc& arc : from.arcs) {
        if (m_approach.placeIn(arc.stage) == none) continue;
        const int own = m_approach.hopsFrom(arc);
        if (own == farAway || (hops >= 0 && own != hops)) return false;
        hops = own;
    }
    return true;
}

void ProductLoads::divideEvenly(const Pod& from, const Pod& to, std::vector<PairDemand>& lost, const Hand& hand) {
    m_volume.assign(from.arcs.size(), 0);
    for (const auto& [reach, weight] : to.reaches) {
        Split& split = splitFor(from, reach);
        split.asked += weight;
        for (std::size_t i = 0; i < m_volume.size(); ++i) m_volume[i] += split.volume[i] * weight;
    }
    for (std::size_t i = 0; i < m_volume.size(); ++i)
        if (m_volume[i] != 0) hand(from.arcs[i], m_approach.placeIn(from.arcs[i].stage), m_volume[i]);
    for (const std::size_t t : to.classes) {
        OfClass& target = m_to[t];
        const Split& split = m_splits[target.reach];
        for (std::size_t i = 0; i < target.arcs.size(); ++i)
            if (const std::uint32_t arc = m_arcOfStage[target.arcs[i].stage]; arc != none) target.load[i] += split.volume[arc];
        for (const std::size_t f : split.cut) addLost(m_from[f], target, lost);
    }
}

// Some ways are longer, or missing further up.
void ProductLoads::divideByClass(const Pod& from, const Pod& to, std::vector<PairDemand>& lost, const Hand& hand) {
    Shares shares;
    for (const std::size_t t : to.classes) {
        OfClass& target = m_to[t];
        m_approach.to(target.arcs);
        for (const std::size_t f : from.classes) {
            OfClass& sender = m_from[f];
            shares.isAny = false;
            if (from.network == to.network) divide(sender.arcs, m_approach, shares);
            if (!shares.isAny) {
                addLost(sender, target, lost);
                continue;
            }
            for (std::size_t i = 0; i < sender.arcs.size(); ++i) {
                if (shares.of[i] == 0) continue;
                const Stage::Arc& arc = sender.arcs[i];
                sender.load[i] += shares.of[i] * target.sum;
                m_down[arc.stage] = shares.of[i] * sender.sum;
                hand(arc, m_approach.placeIn(arc.stage), shares.of[i] * sender.sum * target.sum);
            }
            for (std::size_t i = 0; i < target.arcs.size(); ++i) target.load[i] += m_down[target.arcs[i].stage];
            for (const Stage::Arc& arc : sender.arcs) m_down[arc.stage] = 0;
        }
    }
}

ProductLoads::Split& ProductLoads::splitFor(const Pod& from, std::size_t reach) {
    Split& split = m_splits[reach];
    if (split.isKnown) return split;
    split.isKnown = true;
    split.volume.assign(from.arcs.size(), 0);
    for (const std::uint32_t stage : m_reaches[reach]) m_isReached[stage] = true;
    for (const std::size_t f : from.classes) {
        const OfClass& sender = m_from[f];
        double sum = 0;
        for (const Stage::Arc& arc : sender.arcs) sum += m_isReached[arc.stage] ? arc.weight : 0;
        if (sum == 0) split.cut.push_back(f);
        for (const Stage::Arc& arc : sender.arcs) {
            const double share = m_isReached[arc.stage] ? arc.weight / sum : 0;
            split.shares.push_back(share);
            split.volume[m_arcOfStage[arc.stage]] += sender.sum * share;
        }
    }
    for (const std::uint32_t stage : m_reaches[reach]) m_isReached[stage] = false;
    return split;
}

} // namespace railyard
