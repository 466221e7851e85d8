#include "core/routing/switches/node_loads.h"

#include "core/routing/switches/flat_router.h"
#include "core/routing/switches/product_loads.h"
#include "core/routing/switches/stages.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

namespace railyard {
namespace {

using Arcs = std::span<const Stage::Arc>;

using Lost = std::vector<PairDemand>; // what cannot arrive, and what of it is taken back

// Pairs of which something is left that cannot arrive, sorted, each once.
std::vector<std::pair<NodeId, NodeId>> pairsOf(Lost lost) {
    constexpr double rounding = 1e-9;
    std::sort(lost.begin(), lost.end(), [](const PairDemand& a, const PairDemand& b) {
        return std::tuple(a.from, a.to, a.volume) < std::tuple(b.from, b.to, b.volume);
    });
    std::vector<std::pair<NodeId, NodeId>> pairs;
    for (std::size_t i = 0; i < lost.size();) {
        double sum = 0, most = 0;
        const PairDemand first = lost[i];
        for (; i < lost.size() && lost[i].from == first.from && lost[i].to == first.to; ++i) {
            sum += lost[i].volume;
            most = std::max(most, lost[i].volume);
        }
        if (sum > rounding * most) pairs.emplace_back(first.from, first.to);
    }
    return pairs;
}

// What is sent from place to place of a stage. Few places of a large stage may send anything, so a row is there for those alone.
class Sent {
public:
    void setPlaces(std::size_t count) {
        m_rows.resize(count);
        m_isTarget.resize(count);
    }
    bool isWanted() const { return !m_rows.empty(); }
    void add(std::uint32_t from, std::uint32_t to, double volume) {
        if (m_rows[from].empty()) m_rows[from].assign(m_rows.size(), 0);
        m_rows[from][to] += volume;
        m_isTarget[to] = true;
    }
    double between(std::uint32_t from, std::uint32_t to) const { return m_rows[from][to]; }
    // Of these places those that may send or get anything.
    std::vector<std::uint32_t> sendersOf(const std::vector<std::uint32_t>& places) const {
        std::vector<std::uint32_t> some;
        std::copy_if(places.begin(), places.end(), std::back_inserter(some), [&](std::uint32_t place) { return !m_rows[place].empty(); });
        return some;
    }
    std::vector<std::uint32_t> targetsOf(const std::vector<std::uint32_t>& places) const {
        std::vector<std::uint32_t> some;
        std::copy_if(places.begin(), places.end(), std::back_inserter(some), [&](std::uint32_t place) { return m_isTarget[place]; });
        return some;
    }

private:
    std::vector<std::vector<double>> m_rows; // by sender
    std::vector<bool> m_isTarget;
};

class StagedLoads {
public:
    StagedLoads(const SwitchGraph& graph, const Stages& stages) : m_graph(graph), m_stages(stages) {
        m_loads.up.assign(graph.edges.size(), 0);
        m_loads.down.assign(graph.edges.size(), 0);
        m_sent.resize(stages.all.size());
        for (std::size_t s = stages.leaves.size(); s < stages.all.size(); ++s)
            if (!stages.all[s].arcs.empty()) m_sent[s].setPlaces(stages.all[s].nodes.size());
    }

    NodeLoads loadsOf(const NodeDemands& demands) {
        for (const ProductDemand& product : demands.products) addProduct(product);
        addPairs(demands.pairs);
        for (std::size_t s = m_stages.leaves.size(); s < m_stages.all.size(); ++s) passOn(s); // from below upwards
        m_loads.unreachable = pairsOf(std::move(m_lost));
        return std::move(m_loads);
    }

private:
    Arcs arcsOf(NodeId node) const { return m_stages.arcsOf(node); }

    // What goes up `arc` towards the switch where the ways end in the arc's stage.
    void hand(const Stage::Arc& arc, std::uint32_t end, double volume) {
        if (m_sent[arc.stage].isWanted()) m_sent[arc.stage].add(arc.place, end, volume);
    }

    // As though leaves sent to themselves over the switches above, which is taken back as pairs.
    void addProduct(const ProductDemand& product) {
        ProductLoads(m_graph, m_stages, product).addTo(m_loads, m_lost, [this](const Stage::Arc& arc, std::uint32_t end, double volume) {
            hand(arc, end, volume);
        });
        std::map<std::uint32_t, double> sends;
        for (const NodeWeight& each : product.from) sends[each.node] += each.weight;
        for (const NodeWeight& each : product.to)
            if (const auto own = sends.find(each.node); each.weight != 0 && own != sends.end())
                m_itself.push_back({each.node, each.node, -own->second * each.weight});
    }

    void addPairs(std::vector<PairDemand> pairs) {
        std::erase_if(pairs, [](const PairDemand& pair) { return pair.from == pair.to || pair.volume == 0; });
        pairs.insert(pairs.end(), m_itself.begin(), m_itself.end());
        std::stable_sort(pairs.begin(), pairs.end(), [&](const PairDemand& a, const PairDemand& b) {
            return std::pair(m_stages.leafClassOf[a.to], a.to) < std::pair(m_stages.leafClassOf[b.to], b.to);
        });
        Approach approach(m_stages);
        Shares shares;
        NodeId at;
        for (const PairDemand& pair : pairs) {
            if (pair.to != at) {
                at = pair.to;
                approach.to(arcsOf(at));
            }
            const Arcs arcs = arcsOf(pair.from);
            divide(arcs, approach, shares);
            if (!shares.isAny) {
                if (pair.from != pair.to) m_lost.push_back(pair);
                continue;
            }
            for (std::size_t i = 0; i < arcs.size(); ++i) {
                if (shares.of[i] == 0) continue;
                const double part = pair.volume * shares.of[i];
                m_loads.up[arcs[i].edge] += part;
                m_loads.down[approach.edgeFrom(arcs[i].stage)] += part;
                hand(arcs[i], approach.placeIn(arcs[i].stage), part);
            }
        }
    }

    void passOn(std::size_t s) {
        const Stage& stage = m_stages.all[s];
        if (!m_sent[s].isWanted()) return; // the top: what came up goes down
        stage.isComplete ? passOnEvenly(stage, m_sent[s]) : passOnByClass(stage, m_sent[s]);
        m_sent[s] = {};
    }
    // Every way serves every destination.
    void passOnEvenly(const Stage& stage, const Sent& sent) {
        const std::size_t count = stage.nodes.size();
        std::vector<std::uint32_t> all(count);
        std::iota(all.begin(), all.end(), 0U);
        const auto targets = sent.targetsOf(all);
        std::vector<double> out(count), in(count);
        for (const std::uint32_t from : sent.sendersOf(all))
            for (const std::uint32_t to : targets) {
                if (from == to) continue;
                out[from] += sent.between(from, to);
                in[to] += sent.between(from, to);
            }
        double weights = 0;
        for (const Stage::Arc& arc : stage.arcsOf(0)) weights += arc.weight;
        for (std::uint32_t place = 0; place < count; ++place)
            for (const Stage::Arc& arc : stage.arcsOf(place)) {
                m_loads.up[arc.edge] += out[place] * arc.weight / weights;
                m_loads.down[arc.edge] += in[place] * arc.weight / weights;
            }
    }
    void passOnByClass(const Stage& stage, const Sent& sent) {
        struct Senders {
            Arcs arcs; // of each of them, but for the edges
            std::vector<std::uint32_t> places;
        };
        std::vector<Senders> senders;
        for (const auto& places : stage.equal)
            if (auto some = sent.sendersOf(places); !some.empty()) senders.push_back({stage.arcsOf(places.front()), std::move(some)});
        Approach approach(m_stages);
        Shares shares;
        const std::size_t count = stage.nodes.size();
        std::vector<double> out(count), in(count), arriving(m_stages.all.size()); // by place, by place, by stage
        for (const auto& equal : stage.equal) {
            const auto there = sent.targetsOf(equal);
            if (there.empty()) continue;
            approach.to(stage.arcsOf(equal.front()));
            for (const auto& [arcs, here] : senders) {
                double volume = 0;
                for (const std::uint32_t to : there) in[to] = 0;
                for (const std::uint32_t from : here) {
                    out[from] = 0;
                    for (const std::uint32_t to : there) {
                        if (from == to) continue;
                        const double each = sent.between(from, to);
                        out[from] += each;
                        in[to] += each;
                    }
                    volume += out[from];
                }
                if (volume == 0) continue;
                divide(arcs, approach, shares);
                for (std::size_t i = 0; i < arcs.size(); ++i) {
                    if (shares.of[i] == 0) continue;
                    arriving[arcs[i].stage] = shares.of[i]; // a switch has one arc to a stage
                    hand(arcs[i], approach.placeIn(arcs[i].stage), volume * shares.of[i]);
                }
                for (const std::uint32_t from : here)
                    for (std::size_t i = 0; i < arcs.size(); ++i) m_loads.up[stage.arcsOf(from)[i].edge] += out[from] * shares.of[i];
                for (const std::uint32_t to : there)
                    for (const Stage::Arc& arc : stage.arcsOf(to)) m_loads.down[arc.edge] += in[to] * arriving[arc.stage];
                for (const Stage::Arc& arc : arcs) arriving[arc.stage] = 0;
            }
        }
    }

    const SwitchGraph& m_graph;
    const Stages& m_stages;
    std::vector<Sent> m_sent; // by stage, of those between leaves and the top
    std::vector<PairDemand> m_itself;
    Lost m_lost;
    NodeLoads m_loads;
};

bool startsOnLeaves(const SwitchGraph& graph, const NodeDemands& demands) {
    const auto isLeaf = [&](NodeId node) { return graph.tier[node] == SwitchTier::Leaf; };
    const auto areLeaves = [&](const std::vector<NodeWeight>& weights) {
        return std::all_of(weights.begin(), weights.end(), [&](const NodeWeight& each) { return isLeaf(each.node); });
    };
    return std::all_of(demands.products.begin(), demands.products.end(),
                       [&](const ProductDemand& product) { return areLeaves(product.from) && areLeaves(product.to); }) &&
           std::all_of(demands.pairs.begin(), demands.pairs.end(),
                       [&](const PairDemand& pair) { return isLeaf(pair.from) && isLeaf(pair.to); });
}

// What every node sends to each destination, 0 where nothing.
class Towards {
public:
    Towards(std::size_t nodes, const NodeDemands& demands) : m_demands(demands), m_pairs(nodes), m_products(nodes) {
        for (const PairDemand& pair : demands.pairs) m_pairs[pair.to].emplace_back(pair.from, pair.volume);
        for (std::size_t p = 0; p < demands.products.size(); ++p)
            for (const NodeWeight& each : demands.products[p].to) m_products[each.node].emplace_back(p, each.weight);
    }
    bool isAny(std::uint32_t target) const { return !m_pairs[target].empty() || !m_products[target].empty(); }
    void take(std::uint32_t target, std::vector<double>& volume) const {
        std::fill(volume.begin(), volume.end(), 0.0);
        for (const auto& [product, weight] : m_products[target])
            for (const NodeWeight& each : m_demands.products[product].from) volume[each.node] += each.weight * weight;
        for (const auto& [from, pair] : m_pairs[target]) volume[from] += pair;
        volume[target] = 0;
    }

private:
    const NodeDemands& m_demands;
    std::vector<std::vector<std::pair<std::uint32_t, double>>> m_pairs;
    std::vector<std::vector<std::pair<std::size_t, double>>> m_products;
};

} // namespace

NodeLoads loadsOneByOne(const SwitchGraph& graph, const NodeDemands& demands, Division division) {
    const std::size_t nodes = graph.device.size();
    NodeLoads loads{std::vector<double>(graph.edges.size()), std::vector<double>(graph.edges.size())};
    const Towards towards(nodes, demands);
    FlatRouter router(graph);
    std::vector<double> volume(nodes);
    Lost lost;
    const auto weightOf = [&](const FlatRouter::Arc& arc) {
        return division == Division::PerLink ? graph.edges[arc.edge].links : graph.edges[arc.edge].capacity.value();
    };
    for (NodeId target(0); target < nodes; ++target) {
        if (!towards.isAny(target)) continue;
        towards.take(target, volume);
        router.aimAt(target);
        const auto passOn = [&](NodeId v) {
            double weights = 0;
            router.eachNext(v, [&](const FlatRouter::Arc& arc) { weights += weightOf(arc); });
            if (weights == 0) lost.push_back({v, target, volume[v]}); // cables in a circle within a tier
            auto& direction = router.goesUp(v) ? loads.up : loads.down;
            router.eachNext(v, [&](const FlatRouter::Arc& arc) {
                const double share = volume[v] * weightOf(arc) / weights;
                direction[arc.edge] += share;
                volume[arc.node] += share;
            });
            volume[v] = 0;
        };
        for (const auto v : router.lowestFirst()) {
            if (volume[v] == 0 || v == target) continue;
            if (router.hops(v) >= FlatRouter::unreachable) {
                lost.push_back({v, target, volume[v]});
                volume[v] = 0;
            } else if (router.goesUp(v)) {
                passOn(v);
            }
        }
        for (auto it = router.lowestFirst().rbegin(); it != router.lowestFirst().rend(); ++it)
            if (volume[*it] != 0 && *it != target) passOn(*it);
    }
    loads.unreachable = pairsOf(std::move(lost));
    return loads;
}

std::vector<PairDemand> mergedPairs(std::vector<PairDemand> pairs) {
    std::sort(pairs.begin(), pairs.end(), [](const PairDemand& a, const PairDemand& b) {
        return std::tuple(a.from, a.to, a.volume) < std::tuple(b.from, b.to, b.volume);
    });
    std::size_t last = 0;
    for (std::size_t i = 1; i < pairs.size(); ++i)
        if (pairs[i].from == pairs[last].from && pairs[i].to == pairs[last].to)
            pairs[last].volume += pairs[i].volume;
        else
            pairs[++last] = pairs[i];
    if (!pairs.empty()) pairs.resize(last + 1);
    return pairs;
}

NodeLoads loadsBetweenNodes(const SwitchGraph& graph, const NodeDemands& demands, Division division) {
    const auto stages = startsOnLeaves(graph, demands) ? stagesOf(graph, division) : std::nullopt;
    return stages ? StagedLoads(graph, *stages).loadsOf(demands) : loadsOneByOne(graph, demands, division);
}

NodeLoads loadsBetweenNodes(const SwitchGraph& graph, const NodeDemands& demands, Division division, const Stages* stages) {
    return stages && startsOnLeaves(graph, demands) ? StagedLoads(graph, *stages).loadsOf(demands)
                                                    : loadsOneByOne(graph, demands, division);
}

} // namespace railyard
