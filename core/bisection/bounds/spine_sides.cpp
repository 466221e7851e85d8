#include "core/bisection/bounds/spine_sides.h"

#include "core/bisection/bounds/stars.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace railyard {
namespace {

constexpr std::size_t mostKindsOfSpines = 11; // their sides are tried in all ways
constexpr std::size_t mostSizesOfSus = 3;
constexpr std::size_t mostSums = 2'000'000; // leaves of SUs of each kind, for all sides of the spines

using Edges = std::vector<std::pair<std::uint32_t, Bandwidth>>; // to whom, and how much

// A leaf of an SU: what each endpoint has there, and what leads to the spines of each kind.
struct LeafLinks {
    Bandwidth perEndpoint;
    std::vector<Bandwidth> toKind;
    bool operator<(const LeafLinks& other) const { return std::tie(perEndpoint, toKind) < std::tie(other.perEndpoint, other.toKind); }
};
// The leaves that serve the same endpoints.
struct Su {
    std::vector<std::uint32_t> endpoints;
    std::vector<NodeId> leaves;
};
// SUs that are alike.
struct SuKind {
    std::size_t endpoints = 0;
    std::vector<LeafLinks> leaves;
    std::vector<std::size_t> members;
};

bool hasTwoTiers(const SwitchGraph& graph) {
    return !graph.groups.empty() && std::all_of(graph.groups.begin(), graph.groups.end(), [&](const SwitchGraph::Group& group) {
        return group.tier == LinkTier::LeafSpine && leadsUpInTiers(graph, group) && graph.tier[group.lowers[0]] == SwitchTier::Leaf;
    });
}

// Empty where an endpoint hangs on leaves of several SUs, or has more on a leaf than others.
std::optional<std::vector<Su>> susOf(const SwitchGraph& graph, const Endpoints& ends, By<NodeId, Bandwidth>& perEndpoint) {
    const auto served = endpointsOfNodes(graph, ends);
    std::map<std::vector<std::uint32_t>, std::size_t> number;
    std::vector<Su> sus;
    std::size_t seen = 0;
    for (const NodeId v : graph.nodes()) {
        const auto& here = served[v];
        const bool isLeaf = graph.tier[v] == SwitchTier::Leaf;
        if (here.empty() ? isLeaf && graph.groupAbove[v] != none : !isLeaf) return {}; // a leaf without endpoints joins spines
        if (here.empty()) continue;
        perEndpoint[v] = here.front().second;
        std::vector<std::uint32_t> endpoints;
        for (const auto& [endpoint, capacity] : here) {
            if (capacity != perEndpoint[v]) return {};
            endpoints.push_back(endpoint);
        }
        const auto [known, isNew] = number.try_emplace(std::move(endpoints), sus.size());
        if (isNew) {
            seen += known->first.size();
            sus.push_back({known->first, {}});
        }
        sus[known->second].leaves.push_back(v);
    }
    if (seen != ends.size()) return {};
    std::vector<std::uint8_t> isSeen(ends.size());
    for (const Su& su : sus)
        for (const auto endpoint : su.endpoints)
            if (std::exchange(isSeen[endpoint], std::uint8_t{1}) != 0) return {};
    return sus;
}

// By spine: its kind, numbered from 0; spines of a kind have the same links.
struct SpineKinds {
    By<NodeId, std::uint32_t> of;
    std::size_t count = 0;
};

SpineKinds kindsOfSpines(const SwitchGraph& graph, const std::vector<bool>& networks) {
    By<NodeId, Edges> below(graph.device.size());
    for (const auto& edge : graph.edges) below[edge.upper].emplace_back(edge.lower, edge.capacity);
    SpineKinds kinds{By<NodeId, std::uint32_t>(graph.device.size(), none), 0};
    std::map<Edges, std::size_t> number;
    for (const NodeId v : graph.nodes())
        if (!below[v].empty() && networks[graph.network[v]])
            kinds.of[v] = static_cast<std::uint32_t>(number.try_emplace(below[v], number.size()).first->second);
    kinds.count = number.size();
    return kinds;
}

// Networks with the same endpoints that are built alike are cut alike, so one of them stands for all: that one; else all of them.
std::vector<bool> networksThatCount(const SwitchGraph& graph, const std::vector<Su>& sus, const By<NodeId, Bandwidth>& perEndpoint) {
    struct Network {
        Edges hosts;                        // what an endpoint of each SU has
        std::map<Edges, std::size_t> above; // how many spines have these links from each SU
        bool operator==(const Network&) const = default;
    };
    std::vector<bool> all(graph.networks, true);
    std::vector<Network> networks(graph.networks);
    By<NodeId, std::uint32_t> suOf(graph.device.size(), none);
    for (std::uint32_t s = 0; s < sus.size(); ++s)
        for (const NodeId leaf : sus[s].leaves) {
            suOf[leaf] = s;
            Edges& hosts = networks[graph.network[leaf]].hosts;
            if (!hosts.empty() && hosts.back().first == s) return all; // which of an SU's leaves a spine leads to is not looked at
            hosts.emplace_back(s, perEndpoint[leaf]);
        }
    By<NodeId, Edges> below(graph.device.size());
    for (const auto& edge : graph.edges) below[edge.upper].emplace_back(suOf[edge.lower], edge.capacity);
    for (const NodeId v : graph.nodes())
        if (!below[v].empty()) ++networks[graph.network[v]].above[below[v]];
    if (std::any_of(networks.begin(), networks.end(), [&](const Network& each) { return each != networks.front(); })) return all;
    std::vector<bool> first(graph.networks);
    first.front() = true;
    return first;
}

// SUs that are alike, with their leaves in the networks that count.
std::vector<SuKind> kindsOfSus(const SwitchGraph& graph, const std::vector<Su>& sus, const By<NodeId, Bandwidth>& perEndpoint,
                               const SpineKinds& spines, const std::vector<bool>& networks) {
    std::map<std::pair<std::size_t, std::vector<LeafLinks>>, std::size_t> known;
    std::vector<SuKind> kinds;
    for (std::size_t s = 0; s < sus.size(); ++s) {
        std::vector<LeafLinks> leaves;
        for (const NodeId leaf : sus[s].leaves) {
            if (!networks[graph.network[leaf]]) continue;
            LeafLinks links{perEndpoint[leaf], std::vector<Bandwidth>(spines.count)};
            for (const auto& edge : graph.edgesAbove(leaf)) links.toKind[spines.of[edge.upper]] += edge.capacity;
            leaves.push_back(std::move(links));
        }
        std::sort(leaves.begin(), leaves.end());
        const auto [kind, isNew] = known.try_emplace({sus[s].endpoints.size(), leaves}, kinds.size());
        if (isNew) kinds.push_back({sus[s].endpoints.size(), std::move(leaves), {}});
        kinds[kind->second].members.push_back(s);
    }
    return kinds;
}

bool isWithinLimits(const std::vector<SuKind>& kinds, std::size_t spines) {
    std::set<std::size_t> sizes;
    std::size_t leaves = 0;
    for (const SuKind& kind : kinds) {
        sizes.insert(kind.endpoints);
        leaves += kind.leaves.size();
    }
    return spines <= mostKindsOfSpines && sizes.size() <= mostSizesOfSus && (leaves << spines) <= mostSums;
}

// The least over all partitions for given sides of the spines.
class Partitions {
public:
    Partitions(const std::vector<SuKind>& kinds, std::size_t onA) : m_kinds(kinds), m_wanted(onA) {
        for (std::size_t k = 0; k < kinds.size(); ++k) m_sizes[kinds[k].endpoints].kinds.push_back(k);
        for (const SuKind& kind : kinds) {
            auto& tables = m_toA.emplace_back();
            for (const LeafLinks& leaf : kind.leaves) tables.push_back(sumsOf(leaf.toKind));
        }
    }
    struct Choice {
        Bandwidth cut{impossible};
        std::vector<std::size_t> whole; // by kind: SUs that stand on side A as a whole
        std::size_t divided = 0, rest = 0;
    };

    // Bit k of `sides`: the spines of kind k stand on side A.
    void tryAll(std::size_t sides, Choice& best) {
        m_sides = sides;
        Bandwidth none;
        for (auto& [size, own] : m_sizes) {
            own.more.clear();
            for (const std::size_t k : own.kinds) {
                const Bandwidth onB = costOf(k, 0);
                none += static_cast<double>(m_kinds[k].members.size()) * onB;
                own.more.push_back({costOf(k, size) - onB, onB, k, 0});
            }
            std::sort(own.more.begin(), own.more.end(),
                      [](const More& x, const More& y) { return std::pair(x.cost, x.kind) < std::pair(y.cost, y.kind); });
            own.least.assign(1, Bandwidth());
            for (More& more : own.more) {
                more.before = own.least.size() - 1;
                for (std::size_t n = 0; n < m_kinds[more.kind].members.size(); ++n) own.least.push_back(own.least.back() + more.cost);
            }
        }
        for (auto divided = m_sizes.begin(); divided != m_sizes.end(); ++divided) descend(m_sizes.begin(), divided, m_wanted, none, best);
    }

private:
    // SUs of a kind: what one costs more on side A than on side B, and how many of their size cost less.
    struct More {
        Bandwidth cost, onB;
        std::size_t kind = 0, before = 0;
    };
    struct Size {
        std::vector<std::size_t> kinds;
        std::vector<More> more;       // the cheapest first
        std::vector<Bandwidth> least; // of that many on side A
        std::size_t onA = 0;
    };
    using Sizes = std::map<std::size_t, Size>;

    static std::vector<Bandwidth> sumsOf(const std::vector<Bandwidth>& values) {
        std::vector<Bandwidth> sums(std::size_t{1} << values.size());
        for (std::size_t k = 0; k < values.size(); ++k)
            for (std::size_t set = 0; set < std::size_t{1} << k; ++set) sums[set + (std::size_t{1} << k)] = sums[set] + values[k];
        return sums;
    }
    Bandwidth costOf(std::size_t k, std::size_t onA) const {
        const SuKind& kind = m_kinds[k];
        Bandwidth cost;
        for (std::size_t l = 0; l < kind.leaves.size(); ++l) {
            const Bandwidth each = kind.leaves[l].perEndpoint, toA = m_toA[k][l][m_sides], all = m_toA[k][l].back();
            cost += std::min(static_cast<double>(onA) * each + toA, static_cast<double>(kind.endpoints - onA) * each + all - toA);
        }
        return cost;
    }
    // Of the other sizes, how many stand on side A; those of the divided size follow from what is then missing.
    void descend(Sizes::iterator at, Sizes::iterator divided, std::size_t left, Bandwidth cost, Choice& best) {
        if (at == m_sizes.end()) return finish(divided->first, divided->second, left, cost, best);
        if (at == divided) return descend(std::next(at), divided, left, cost, best);
        auto& [size, own] = *at;
        for (own.onA = 0; own.onA < own.least.size() && own.onA * size <= left; ++own.onA)
            descend(std::next(at), divided, left - own.onA * size, cost + own.least[own.onA], best);
    }
    void finish(std::size_t size, Size& own, std::size_t left, Bandwidth cost, Choice& best) {
        const std::size_t all = own.least.size() - 1, rest = left % size;
        own.onA = left / size;
        if (own.onA + (rest > 0 ? 1 : 0) > all) return;
        if (rest == 0) return take(cost + own.least[own.onA], none, 0, best);
        for (const More& more : own.more) { // another one takes the place of one that is divided
            const bool isAmongFirst = more.before + m_kinds[more.kind].members.size() <= own.onA;
            const Bandwidth others = isAmongFirst ? own.least[own.onA + 1] - more.cost : own.least[own.onA];
            take(cost + others + costOf(more.kind, rest) - more.onB, more.kind, rest, best);
        }
    }
    void take(Bandwidth cut, std::size_t divided, std::size_t rest, Choice& best) const {
        if (cut >= best.cut) return;
        best = {cut, std::vector<std::size_t>(m_kinds.size()), divided, rest};
        for (const auto& [size, own] : m_sizes) {
            const bool isDivided = rest > 0 && m_kinds[divided].endpoints == size;
            std::size_t left = own.onA;
            for (const More& more : own.more) {
                const std::size_t there = m_kinds[more.kind].members.size() - (isDivided && more.kind == divided ? 1 : 0);
                best.whole[more.kind] = std::min(left, there);
                left -= best.whole[more.kind];
            }
        }
    }

    const std::vector<SuKind>& m_kinds;
    std::size_t m_wanted, m_sides = 0;
    std::vector<std::vector<std::vector<Bandwidth>>> m_toA; // by kind, leaf and sides: what leads to spines on side A
    Sizes m_sizes;
};

} // namespace

std::optional<SpineSidesBound> spineSidesBound(const SwitchGraph& graph, const Endpoints& ends) {
    if (!hasTwoTiers(graph) || ends.isShared || ends.size() < 2) return {};
    By<NodeId, Bandwidth> perEndpoint(graph.device.size());
    const auto sus = susOf(graph, ends, perEndpoint);
    if (!sus) return {};
    const std::vector<bool> networks = networksThatCount(graph, *sus, perEndpoint);
    const SpineKinds spines = kindsOfSpines(graph, networks);
    if (spines.count > mostKindsOfSpines) return {}; // before the kinds of SUs, which take time
    const std::vector<SuKind> kinds = kindsOfSus(graph, *sus, perEndpoint, spines, networks);
    if (!isWithinLimits(kinds, spines.count)) return {};
    Partitions partitions(kinds, ends.size() / 2);
    // With halves that are equal, the other half of the sides are the same with A for B.
    const std::size_t sides = std::size_t{1} << (spines.count - (ends.size() % 2 == 0 ? 1 : 0));
    Partitions::Choice best;
    for (std::size_t each = 0; each < sides; ++each) partitions.tryAll(each, best);
    const auto counted = std::count(networks.begin(), networks.end(), true);
    SpineSidesBound bound{
        {best.cut * (static_cast<double>(networks.size()) / static_cast<double>(counted)), "search of the sides of all spines"},
        std::vector<bool>(ends.size())};
    for (std::size_t k = 0; k < kinds.size(); ++k)
        for (std::size_t n = 0; n < kinds[k].members.size(); ++n) {
            const auto& own = (*sus)[kinds[k].members[n]].endpoints;
            const bool isDivided = best.rest > 0 && k == best.divided && n == best.whole[k];
            const std::size_t onA = n < best.whole[k] ? own.size() : isDivided ? best.rest : 0;
            for (std::size_t e = 0; e < onA; ++e) bound.sideA[own[e]] = true;
        }
    return bound;
}

} // namespace railyard
