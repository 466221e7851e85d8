// The tree certificate one tier higher: oversubscription between pods, partial pods.
//
// Where leaves and spines of a pod are joined evenly, the pod carries all that its leaves send and all that its spines'
// uplinks take: it acts as one node. Where the tier above joins the spines evenly too, that is one node as well. What is
// left is a tree, endpoints - leaves - pods - root, and its bisection is exact by tables over endpoints a side.
#include "core/cut/stars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace railyard {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();
constexpr double mostWork = 6e8; // of the tables

using Costs = std::vector<double>; // [a]: least capacity cut with a endpoints on side A

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
    std::vector<double> uplinks;   // of every pod: of all its spines
    std::vector<PodStar> stars;    // in path order
    std::vector<double> endpoints; // of every pod; a spanning star counts for the later one
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
        if (m_above.empty()) m_above = above;
        m_tree.uplinks.push_back(uplink);
        return above == m_above;
    }

    const SwitchGraph& m_graph;
    std::vector<std::uint32_t> m_podOf; // of a group
    std::size_t m_networks = 0;
    std::vector<std::uint32_t> m_above;
    Tree m_tree;
};

// A star whose first leg's pod stands on `first`, its second leg's on `second`; every leaf takes its cheaper side.
Costs costsOf(const PodStar& pod, bool first, bool second) {
    const Star& star = *pod.star;
    const std::size_t e = star.endpoints.size();
    Costs costs(e + 1);
    for (std::size_t a = 0; a <= e; ++a) {
        const double onA = static_cast<double>(a) * star.perLink, onB = static_cast<double>(e - a) * star.perLink;
        for (std::size_t leg = 0; leg < pod.legs.size(); ++leg) {
            const bool podOnA = leg == 0 ? first : second;
            costs[a] += pod.legs[leg].leaves * std::min(onB + (podOnA ? 0 : star.uplink), onA + (podOnA ? star.uplink : 0));
        }
    }
    return costs;
}

Costs together(const Costs& x, const Costs& y, std::size_t most) {
    Costs sum(std::min(x.size() + y.size() - 1, most + 1), impossible);
    for (std::size_t a = 0; a < x.size() && a < sum.size(); ++a)
        for (std::size_t b = 0; b < y.size() && a + b < sum.size(); ++b) sum[a + b] = std::min(sum[a + b], x[a] + y[b]);
    return sum;
}

Costs cheaper(const Costs& x, const Costs& y) {
    Costs least = x;
    for (std::size_t a = 0; a < least.size(); ++a) least[a] = std::min(x[a], y[a]);
    return least;
}

// Pod after pod; what is kept is the table for either side of the last one. The root stands on side B.
Costs costsOf(const Tree& tree, std::size_t loose, std::size_t most) {
    std::array<Costs, 2> last{Costs(loose + 1), Costs(loose + 1)};
    for (std::size_t pod = 0; pod < tree.uplinks.size(); ++pod) {
        std::array<Costs, 2> next;
        for (const bool onA : {false, true}) {
            Costs own{onA ? tree.uplinks[pod] : 0.0};
            std::array<Costs, 2> spanning{Costs{0.0}, Costs{0.0}}; // by the side of the pod before
            for (const PodStar& star : tree.stars) {
                if (star.legs.back().pod != pod) continue;
                if (star.legs.size() == 1) own = together(own, costsOf(star, onA, onA), most);
                for (const bool before : {false, true})
                    if (star.legs.size() == 2) spanning[before] = together(spanning[before], costsOf(star, before, onA), most);
            }
            next[onA] = together(cheaper(together(last[0], spanning[0], most), together(last[1], spanning[1], most)), own, most);
        }
        last = std::move(next);
    }
    return cheaper(last[0], last[1]);
}

} // namespace

LowerBound podBound(const SwitchGraph& graph, const Endpoints& ends) {
    bool threeTiers = false;
    for (const auto& group : graph.groups) {
        if (!group.even || group.tier == LinkTier::SuperspineCore) return {};
        threeTiers = threeTiers || group.tier == LinkTier::SpineSuperspine;
    }
    if (!threeTiers) return {};
    const auto stars = starsOf(graph, ends);
    if (!stars) return {};
    const auto tree = PodFinder(graph).find(*stars);
    if (!tree) return {};
    const std::size_t n = ends.size(), m = (n + 1) / 2;
    double work = 0, inPods = 0;
    for (const double e : tree->endpoints) {
        work += e * e + std::min(inPods, static_cast<double>(m)) * e;
        inPods += e;
    }
    if (work * 4 > mostWork) return {};
    const Costs all = costsOf(*tree, n - static_cast<std::size_t>(inPods), m);
    return {std::min(all[n / 2], all[m]), "tree of pods"};
}

} // namespace railyard
