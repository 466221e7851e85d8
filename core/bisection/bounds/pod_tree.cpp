#include "core/bisection/bounds/pod_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace railyard {
namespace {

constexpr Bandwidth infinite(std::numeric_limits<double>::infinity());

bool differ(Bandwidth x, Bandwidth y) { return abs(x - y) > Bandwidth(0.5); }

// Numbers the pods in the order in which stars reach them. A pod is a leaf-spine group; where rails or planes are separate
// networks, one group of each, if every star reaches all networks alike.
class PodFinder {
public:
    explicit PodFinder(const SwitchGraph& graph) : m_graph(graph), m_podOf(graph.groups.size(), none) {}

    std::optional<PodTree> find(const std::vector<Star>& stars) {
        for (const Star& star : stars) {
            PodStar own{&star, {}};
            if (!addLegs(own)) return {};
            const bool chain = own.legs.size() == 1 || (own.legs.size() == 2 && own.legs[1].pod == own.legs[0].pod + 1);
            if (!chain) return {};
            m_tree.stars.push_back(std::move(own));
        }
        return std::move(m_tree);
    }

private:
    bool addLegs(PodStar& star) {
        std::map<std::uint32_t, std::map<std::uint32_t, double>> networks; // network -> group -> leaves
        for (const auto v : star.star->leaves) networks[m_graph.network[v]][m_graph.groupAbove[v]] += 1;
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
        std::sort(star.legs.begin(), star.legs.end(), [](const PodLeg& x, const PodLeg& y) { return x.pod < y.pod; });
        return true;
    }
    // Spines of a group must be alike, and the same groups must join the spines of every pod.
    bool addPod(const std::vector<std::uint32_t>& groups) {
        std::vector<std::uint32_t> above;
        Bandwidth uplink, first; // every network must carry the same share
        for (const auto group : groups) {
            const Bandwidth before = uplink;
            m_podOf[group] = static_cast<std::uint32_t>(m_tree.uplinks.size());
            const Bandwidth ofFirst = m_graph.uplink[m_graph.groups[group].uppers.front()];
            for (const auto v : m_graph.groups[group].uppers) {
                if (m_graph.groupAbove[v] == none || differ(m_graph.uplink[v], ofFirst)) return false;
                uplink += m_graph.uplink[v];
                above.push_back(m_graph.groupAbove[v]);
            }
            if (group == groups.front()) first = uplink;
            if (differ(uplink - before, first)) return false;
        }
        std::sort(above.begin(), above.end());
        m_tree.uplinks.push_back(uplink);
        const auto known = m_blockOf.find(above);
        if (known == m_blockOf.end() && !addBlock(above)) return false;
        m_tree.block.push_back(m_blockOf.at(above));
        return m_tree.block.back() + 1 == m_tree.blockUplinks.size(); // that of the pod before, or a new one
    }

    // Pods that reach the same groups of superspines, each by as many spines: those carry alike, switch by switch and network
    // by network, and lead on to the same groups of core switches as those of every other block, or nowhere.
    bool addBlock(const std::vector<std::uint32_t>& above) {
        std::map<std::uint32_t, std::size_t> spines;
        for (const auto group : above) ++spines[group];
        std::vector<std::uint32_t> core;
        Bandwidth all, first;
        std::map<std::uint32_t, Bandwidth> ofNetwork;
        bool isTop = true, isBelow = true;
        for (const auto& [group, count] : spines) {
            if (count != spines.begin()->second || !m_inBlocks.insert(group).second) return false;
            const std::vector<NodeId>& uppers = m_graph.groups[group].uppers;
            Bandwidth ofGroup;
            for (const auto v : uppers) {
                if (differ(m_graph.uplink[v], m_graph.uplink[uppers.front()])) return false;
                const auto next = m_graph.groupAbove[v];
                isTop = isTop && next == none;
                isBelow = isBelow && next != none;
                if (next != none) core.push_back(next);
                ofNetwork[m_graph.network[v]] += m_graph.uplink[v];
                ofGroup += m_graph.uplink[v];
            }
            if (group == spines.begin()->first) first = ofGroup;
            if (differ(ofGroup, first)) return false;
            all += ofGroup;
        }
        for (const auto& [network, uplink] : ofNetwork)
            if (differ(uplink, ofNetwork.begin()->second)) return false;
        std::sort(core.begin(), core.end());
        if (m_tree.blockUplinks.empty()) m_core = core;
        // Stars that stand in one network each may have a top of their own: no link leads from there to the root.
        if (!(isTop ? m_tree.blockUplinks.empty() || (m_networks == 1 && isOnlyTops()) : isBelow && core == m_core && leadsNowhere(core)))
            return false;
        if (isTop && !m_tree.blockUplinks.empty()) std::fill(m_tree.blockUplinks.begin(), m_tree.blockUplinks.end(), Bandwidth());
        m_blockOf[above] = m_tree.blockUplinks.size();
        m_tree.blockUplinks.push_back(isTop ? (m_tree.blockUplinks.empty() ? infinite : Bandwidth()) : all);
        return true;
    }
    bool isOnlyTops() const { return m_core.empty(); }
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
    PodTree m_tree;
};

} // namespace

std::optional<PodTree> podTreeOf(const SwitchGraph& graph, const StarChain& chain) {
    auto tree = PodFinder(graph).find(chain.stars);
    if (!tree) return {};
    const bool spans = std::any_of(tree->stars.begin(), tree->stars.end(), [](const PodStar& star) { return star.legs.size() > 1; });
    if (spans && chain.isTied()) return {}; // tied to two pods and to another star
    tree->crossing = chain.crossing;
    return tree;
}

PodTree treeOfOneNode(const StarChain& chain) {
    PodTree tree{{Bandwidth()}, {0}, {infinite}, {}, chain.crossing};
    for (const Star& star : chain.stars) tree.stars.push_back({&star, {{0, static_cast<double>(star.leaves.size())}}});
    return tree;
}

} // namespace railyard
