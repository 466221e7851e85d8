// The tree certificate one and two tiers higher: oversubscription between pods and between blocks of pods, partial pods.
//
// Where leaves and spines of a pod are joined evenly, the pod carries all that its leaves send and all that its spines'
// uplinks take: it acts as one node. Where the tier above joins the spines evenly too, that is one node as well: the root, or
// in four tiers a block, whose superspines take their uplinks to the root. What is left is a tree, endpoints - leaves - pods -
// (blocks) - root, and its bisection is exact by tables over endpoints a side.
#include "core/cut/stars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace railyard {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();
constexpr double mostWork = 6e8; // of the tables

// Between fixed pods and blocks what a star costs is concave in its endpoints on side A, so that at most one star is divided.
// Sizes of stars are multiples of a step, and the divided one makes up for the rest of what is wanted: the tables hold the
// least capacity cut with a * step endpoints on side A, none divided, and with a * step + rest, one divided.
struct Costs {
    std::vector<double> whole, divided;
};
struct Grid {
    std::size_t step = 1, rest = 0, most = 0; // most: the largest index wanted
};

// Leaves of a star that stand in one pod.
struct Leg {
    std::size_t pod = 0;
    double leaves = 0;
};
struct PodStar {
    const Star* star;
    std::vector<Leg> legs; // two where an SU spans two pods
};
struct Tree {
    std::vector<double> uplinks;      // of every pod: of all its spines
    std::vector<std::size_t> block;   // of every pod; pods of one stand side by side
    std::vector<double> blockUplinks; // of all superspines of a block; infinite where they are the top: the block is the root
    std::vector<PodStar> stars;       // in path order
    std::vector<double> endpoints;    // of every pod; a spanning star counts for the later one
};

// Numbers the pods in the order in which stars reach them. A pod is a leaf-spine group; where rails or planes are separate
// networks, one group of each, if every star reaches all networks alike.
class PodFinder {
public:
    explicit PodFinder(const SwitchGraph& graph) : m_graph(graph), m_podOf(graph.groups.size(), none) {}

    std::optional<Tree> find(const std::vector<Star>& stars) {
        for (const Star& star : stars) {
            PodStar own{&star, {}};
            if (!addLegs(own)) return {};
            const bool chain = own.legs.size() == 1 || (own.legs.size() == 2 && own.legs[1].pod == own.legs[0].pod + 1);
            if (!chain) return {};
            m_tree.endpoints.resize(m_tree.uplinks.size());
            m_tree.endpoints[own.legs.back().pod] += static_cast<double>(star.endpoints.size());
            m_tree.stars.push_back(std::move(own));
        }
        return std::move(m_tree);
    }

private:
    bool addLegs(PodStar& star) {
        std::map<std::uint32_t, std::map<std::uint32_t, double>> networks; // network -> group -> leaves
        for (const std::uint32_t v : star.star->leaves) networks[m_graph.network[v]][m_graph.groupAbove[v]] += 1;
        if (m_networks == 0) m_networks = networks.size();
        if (networks.size() != m_networks) return false;
        const std::size_t legs = networks.begin()->second.size();
        for (std::size_t leg = 0; leg < legs; ++leg) {
            std::vector<std::uint32_t> groups;
            double leaves = 0;
            for (const auto& [network, own] : networks) {
                if (own.size() != legs || own.contains(none)) return false;
                const auto& [group, count] = *std::next(own.begin(), static_cast<std::ptrdiff_t>(leg));
                if (count * static_cast<double>(groups.size()) != leaves) return false; // another share of this network
                groups.push_back(group);
                leaves += count;
            }
            const bool same = std::all_of(groups.begin(), groups.end(), [&](std::uint32_t g) { return m_podOf[g] == m_podOf[groups[0]]; });
            if (!same || (m_podOf[groups[0]] == none && !addPod(groups))) return false;
            star.legs.push_back({m_podOf[groups[0]], leaves});
        }
        std::sort(star.legs.begin(), star.legs.end(), [](const Leg& x, const Leg& y) { return x.pod < y.pod; });
        return true;
    }
    // Spines of a group must be alike, and the same groups must join the spines of every pod.
    bool addPod(const std::vector<std::uint32_t>& groups) {
        std::vector<std::uint32_t> above;
        double uplink = 0, first = 0; // every network must carry the same share
        for (const std::uint32_t group : groups) {
            const double before = uplink;
            m_podOf[group] = static_cast<std::uint32_t>(m_tree.uplinks.size());
            const double alike = m_graph.uplink[m_graph.groups[group].uppers.front()];
            for (const std::uint32_t v : m_graph.groups[group].uppers) {
                if (m_graph.groupAbove[v] == none || std::abs(m_graph.uplink[v] - alike) > 0.5) return false;
                uplink += m_graph.uplink[v];
                above.push_back(m_graph.groupAbove[v]);
            }
            if (group == groups.front()) first = uplink;
            if (std::abs(uplink - before - first) > 0.5) return false;
        }
        std::sort(above.begin(), above.end());
        m_tree.uplinks.push_back(uplink);
        const auto known = m_blockOf.find(above);
        if (known == m_blockOf.end() && !addBlock(above)) return false;
        m_tree.block.push_back(m_blockOf.at(above));
        return m_tree.block.back() + 1 == m_tree.blockUplinks.size(); // that of the pod before, or a new one
    }

    // Pods that reach the same groups of superspines, each by as many spines: those carry alike, and lead on to the same
    // groups of core switches as those of every other block, or nowhere.
    bool addBlock(const std::vector<std::uint32_t>& above) {
        std::map<std::uint32_t, std::size_t> spines;
        for (const std::uint32_t group : above) ++spines[group];
        std::vector<std::uint32_t> core;
        double all = 0, first = 0;
        bool isTop = true, isBelow = true;
        for (const auto& [group, count] : spines) {
            if (count != spines.begin()->second || !m_inBlocks.insert(group).second) return false;
            double uplink = 0;
            for (const std::uint32_t v : m_graph.groups[group].uppers) {
                const std::uint32_t next = m_graph.groupAbove[v];
                isTop = isTop && next == none;
                isBelow = isBelow && next != none;
                if (next != none) core.push_back(next);
                uplink += m_graph.uplink[v];
            }
            if (group == spines.begin()->first) first = uplink;
            if (std::abs(uplink - first) > 0.5) return false;
            all += uplink;
        }
        std::sort(core.begin(), core.end());
        if (m_tree.blockUplinks.empty()) m_core = core;
        if (!(isTop ? m_tree.blockUplinks.empty() : isBelow && core == m_core && leadsNowhere(core))) return false;
        m_blockOf[above] = m_tree.blockUplinks.size();
        m_tree.blockUplinks.push_back(isTop ? impossible : all);
        return true;
    }
    bool leadsNowhere(const std::vector<std::uint32_t>& groups) const {
        return std::all_of(groups.begin(), groups.end(), [&](std::uint32_t group) {
            const auto& uppers = m_graph.groups[group].uppers;
            return std::all_of(uppers.begin(), uppers.end(), [&](std::uint32_t v) { return m_graph.groupAbove[v] == none; });
        });
    }

    const SwitchGraph& m_graph;
    std::vector<std::uint32_t> m_podOf; // of a group
    std::size_t m_networks = 0;
    std::map<std::vector<std::uint32_t>, std::size_t> m_blockOf; // by the groups that spines lead to
    std::set<std::uint32_t> m_inBlocks;                          // such groups
    std::vector<std::uint32_t> m_core;                           // groups that superspines lead to
    Tree m_tree;
};

// A star whose first leg's pod stands on `first`, its second leg's on `second`; every leaf takes its cheaper side.
double costOf(const PodStar& pod, bool first, bool second, std::size_t a) {
    const Star& star = *pod.star;
    const double onA = static_cast<double>(a) * star.perLink, onB = static_cast<double>(star.endpoints.size() - a) * star.perLink;
    double cost = 0;
    for (std::size_t leg = 0; leg < pod.legs.size(); ++leg) {
        const bool podOnA = leg == 0 ? first : second;
        cost += pod.legs[leg].leaves * std::min(onB + (podOnA ? 0 : star.uplink), onA + (podOnA ? star.uplink : 0));
    }
    return cost;
}

template <class Cost>
Costs tableOf(std::size_t endpoints, const Grid& grid, Cost cost) {
    Costs costs;
    for (std::size_t a = 0; a <= endpoints; a += grid.step) costs.whole.push_back(cost(a));
    for (std::size_t a = grid.rest; grid.rest > 0 && a <= endpoints; a += grid.step) costs.divided.push_back(cost(a));
    return costs;
}

void addSums(const std::vector<double>& x, const std::vector<double>& y, const Grid& grid, std::vector<double>& sums) {
    if (x.empty() || y.empty()) return;
    sums.resize(std::max(sums.size(), std::min(x.size() + y.size() - 1, grid.most + 1)), impossible);
    for (std::size_t a = 0; a < x.size() && a < sums.size(); ++a)
        for (std::size_t b = 0; b < y.size() && a + b < sums.size(); ++b) sums[a + b] = std::min(sums[a + b], x[a] + y[b]);
}

Costs together(const Costs& x, const Costs& y, const Grid& grid) {
    Costs sum;
    addSums(x.whole, y.whole, grid, sum.whole);
    addSums(x.whole, y.divided, grid, sum.divided);
    addSums(x.divided, y.whole, grid, sum.divided);
    return sum;
}

std::vector<double> cheaper(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<double> least = x.size() < y.size() ? y : x;
    const std::vector<double>& other = x.size() < y.size() ? x : y;
    for (std::size_t a = 0; a < other.size(); ++a) least[a] = std::min(least[a], other[a]);
    return least;
}
Costs cheaper(const Costs& x, const Costs& y) { return {cheaper(x.whole, y.whole), cheaper(x.divided, y.divided)}; }

// Pod after pod; what is kept are the tables for either side of its block and of the last pod. The root stands on side B.
Costs costsOf(const Tree& tree, std::size_t loose, const Grid& grid) {
    using Tables = std::array<std::array<Costs, 2>, 2>; // [side of the block][side of the pod], empty where it cannot be
    const auto starOf = [&](const PodStar& star, bool first, bool second) {
        return tableOf(star.star->endpoints.size(), grid, [&](std::size_t a) { return costOf(star, first, second, a); });
    };
    const Costs free = tableOf(loose, grid, [](std::size_t) { return 0.0; }), nothing{{0.0}, {}};
    Tables last{{{free, free}, {free, free}}};
    for (std::size_t pod = 0; pod < tree.uplinks.size(); ++pod) {
        const bool isNewBlock = pod == 0 || tree.block[pod] != tree.block[pod - 1];
        const double blockUplink = tree.blockUplinks[tree.block[pod]];
        Tables next;
        for (const bool onA : {false, true}) {
            Costs own = nothing;
            std::array<Costs, 2> spanning{nothing, nothing}; // by the side of the pod before
            for (const PodStar& star : tree.stars) {
                if (star.legs.back().pod != pod) continue;
                if (star.legs.size() == 1) own = together(own, starOf(star, onA, onA), grid);
                for (const bool before : {false, true})
                    if (star.legs.size() == 2) spanning[before] = together(spanning[before], starOf(star, before, onA), grid);
            }
            for (const bool blockOnA : {false, true}) {
                if (blockOnA && blockUplink == impossible) continue; // the root itself
                const double links = (onA != blockOnA ? tree.uplinks[pod] : 0) + (isNewBlock && blockOnA ? blockUplink : 0);
                Costs sum;
                for (const bool before : {false, true}) {
                    const Costs& sofar = isNewBlock ? cheaper(last[0][before], last[1][before]) : last[blockOnA][before];
                    sum = cheaper(sum, together(sofar, spanning[before], grid));
                }
                next[blockOnA][onA] = together(together(sum, Costs{{links}, {}}, grid), own, grid);
            }
        }
        last = std::move(next);
    }
    return cheaper(cheaper(last[0][0], last[0][1]), cheaper(last[1][0], last[1][1]));
}

} // namespace

LowerBound podBound(const SwitchGraph& graph, const Endpoints& ends) {
    bool threeTiers = false;
    for (const auto& group : graph.groups) {
        if (!group.even) return {};
        threeTiers = threeTiers || group.tier == LinkTier::SpineSuperspine;
    }
    if (!threeTiers) return {};
    const auto stars = starsOf(graph, ends);
    if (!stars) return {};
    const auto tree = PodFinder(graph).find(*stars);
    if (!tree) return {};
    const std::size_t n = ends.size();
    std::size_t step = 0;
    double work = 0, inPods = 0;
    for (const PodStar& star : tree->stars) step = std::gcd(step, star.star->endpoints.size());
    for (const double e : tree->endpoints) {
        work += e * e + std::min(inPods, static_cast<double>(n + 1) / 2) * e;
        inPods += e;
    }
    step = std::gcd(step, n - static_cast<std::size_t>(inPods)); // those without a cable stand on either side
    if (step == 0 || work * 8 / static_cast<double>(step * step) > mostWork) return {};
    double least = impossible;
    for (const std::size_t m : {n / 2, (n + 1) / 2}) {
        const Grid grid{step, m % step, m / step};
        const Costs all = costsOf(*tree, n - static_cast<std::size_t>(inPods), grid);
        const auto& table = grid.rest > 0 ? all.divided : all.whole;
        if (grid.most >= table.size()) return {};
        least = std::min(least, table[grid.most]);
    }
    return {least, "tree of pods"};
}

} // namespace railyard
