// The costs and gains of a cut are those of top_sides.cpp: it is half of the injection, and what hosts, leaves and spines cost that stand
// against two neighbours, less what failed and is cut. Here every host has one leaf in a network, and its tops take any sides.
//
// A plane is the tops of a group with their spines; x of its tops are on B, and g is the mean of x. Let w = |1 - 2 x|, and call the tops on
// the side of fewer the few of the plane. A spine has the flow a from leaves on A and b from leaves on B, of which alpha and beta failed,
// `below` in all; to its tops failed `above`, of that `few` to those few. It gains beta + (failed to tops on B) - 2 x b on A, and
// alpha + (failed to tops on A) - 2 (1 - x) a on B. As no link fails with more than its flow, that is at most
//
//   (1 - w) above + w few + w G,   G = max(below, above)   in a pod whose leaves are all against the plane's most tops,
//                                  G = 0                   if they are all with them,
//                                  G = beta (alpha, if most tops are on B) + (above - the flow of a leaf)+   in any other pod.
//
// A host against its leaf gains its failed cables less 2 g of its flow under a leaf on A, and nothing under one on B: by symmetry g <= 1/2.
// So with s = 1 - 2 x, which is w or -w, and f(j) what failed between a leaf and plane j, a pod gains no more than the largest of
//
//   all on B:  sum of s+ max(below, above)
//   all on A:  sum of s- max(below, above) + D
//   else:      sum over its leaves of max(D of the leaf + sum of s- f, sum of s+ f), and sum of w (above - the flow of a leaf)+.
//
// D depends on the mean of s only. While that is in an interval, each of the three is a sum over planes (D of a leaf is divided among the
// planes in the ratio of f), and the largest of three sums is no more than the sum of the largest, whatever moves from one plane to another
// within a sum beforehand; what moves makes the sums equal plane by plane where all tops are on A. Every plane then takes its best s by
// itself, and a multiplier keeps the mean in the interval. That the sides have equally many endpoints is not used.
#include "core/bisection/bounds/degraded/leaf_sides.h"

#include "core/bisection/bounds/degraded/golden_section.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

namespace railyard {
namespace {

constexpr std::size_t mostStates = 2000000; // pods * planes * numbers of tops on B, of all planes

// One network of the fabric.
class LeafSides {
public:
    LeafSides(const RegularSpread& spread, const RegularSpread::FailedFlow& failed, std::uint32_t network)
        : m_spread(spread),
          m_graph(spread.graph),
          m_failed(failed),
          m_network(network) {}

    bool apply() { return takePods() && takeEndpoints() && takeLinks() && states() <= mostStates; }

    // Of the cut in this network, in bit/s.
    double least() const {
        const std::size_t ends = m_spread.now.ends.size();
        return static_cast<double>(ends / 2) * m_cable - mostGain();
    }

private:
    struct Leaf {
        std::vector<double> lost;                          // by endpoints that lost cables
        std::vector<std::pair<std::size_t, double>> above; // failed to the spines of a plane
        double failed = 0;                                 // of these
    };

    struct Pod {
        std::vector<Leaf> leaves;
        std::vector<double> ofUnanimous, ofSpines; // by plane: sums of max(below, above) and of (above - the flow of a leaf)+
    };

    struct Plane {
        double above = 0;         // failed between its spines and tops
        std::vector<double> tops; // [n]: failed at n of its tops, at most
    };

    bool takePods();
    bool takePlanes(Pod& pod, const std::vector<NodeId>& spines, double thinnest);
    bool takeEndpoints();
    bool takeLinks();
    std::size_t states() const {
        return std::accumulate(m_planes.begin(), m_planes.end(), std::size_t{0},
                               [&](std::size_t sum, const Plane& plane) { return sum + plane.tops.size() * m_pods.size(); });
    }

    double mostGain() const;
    double mostGainWithin(double least, double most) const;
    std::vector<std::vector<double>> gainsOfPlanes(double most) const;
    void addGains(const Pod& pod, double most, std::vector<std::vector<double>>& gains) const;
    double hostsOf(const Leaf& leaf, double most) const { // against it, if it is on A
        return std::accumulate(leaf.lost.begin(), leaf.lost.end(), 0.0,
                               [&](double sum, double lost) { return sum + std::max(0.0, lost - (1 - most) * m_cable); });
    }

    const RegularSpread& m_spread;
    const SwitchGraph& m_graph;
    const RegularSpread::FailedFlow& m_failed;
    std::uint32_t m_network;
    double m_cable = 0; // of an endpoint
    std::vector<Pod> m_pods;
    std::vector<Plane> m_planes;
    std::map<std::uint32_t, std::size_t> m_planeOfGroup;            // by group of the graph, above its spines
    std::map<NodeId, std::pair<std::size_t, std::size_t>> m_leafOf; // pod, number in it
};

bool LeafSides::takePods() {
    std::map<std::uint32_t, std::pair<std::size_t, double>> podOf; // by group of the graph; the thinnest flow of a leaf
    for (NodeId v(0); v < m_spread.isTop.size(); ++v) {
        if (m_graph.network[v] != m_network || m_spread.fromEnds[v] <= Bandwidth()) continue;
        const auto group = m_graph.groupAbove[v];
        if (!m_spread.isPod(group) || m_graph.groupBelow[v] != none) return false;
        const auto [it, isNew] = podOf.try_emplace(group, m_pods.size(), std::numeric_limits<double>::infinity());
        if (isNew) m_pods.emplace_back();
        Pod& pod = m_pods[it->second.first];
        m_leafOf[v] = {it->second.first, pod.leaves.size()};
        pod.leaves.emplace_back();
        it->second.second = std::min(it->second.second, m_spread.full[v].value());
    }
    return std::all_of(podOf.begin(), podOf.end(), [&](const auto& each) {
        const auto& spines = m_graph.groups[each.first].uppers;
        return takePlanes(m_pods[each.second.first], spines, each.second.second / static_cast<double>(spines.size()));
    });
}

// Every pod has equally many spines in every plane, so that the planes have equal shares of the flow.
bool LeafSides::takePlanes(Pod& pod, const std::vector<NodeId>& spines, double thinnest) {
    const bool isFirst = m_planes.empty();
    std::vector<std::size_t> spinesOf;
    for (const NodeId spine : spines) {
        if (m_spread.isTop[spine]) return false;
        const auto group = m_graph.groupAbove[spine];
        const auto [it, isNew] = m_planeOfGroup.try_emplace(group, m_planes.size());
        if (isNew && !isFirst) return false;
        if (isNew) {
            m_planes.emplace_back();
            for (const NodeId top : m_graph.groups[group].uppers) m_planes.back().tops.push_back(m_failed.below[top].value());
        }
        spinesOf.resize(m_planes.size());
        pod.ofUnanimous.resize(m_planes.size());
        pod.ofSpines.resize(m_planes.size());
        ++spinesOf[it->second];
        const double below = m_failed.below[spine].value(), above = m_failed.above[spine].value();
        m_planes[it->second].above += above;
        pod.ofUnanimous[it->second] += std::max(below, above);
        pod.ofSpines[it->second] += std::max(0.0, above - thinnest);
    }
    return std::all_of(spinesOf.begin(), spinesOf.end(), [&](std::size_t n) { return n > 0 && n == spinesOf.front(); });
}

bool LeafSides::takeEndpoints() {
    const Endpoints &intact = m_spread.intact.ends, &present = m_spread.now.ends;
    std::vector<double> left(intact.size());
    std::vector<NodeId> leafOf(intact.size(), NodeId(none));
    for (const auto& a : intact.attachments) {
        if (m_graph.network[a.node] != m_network) continue;
        if (leafOf[a.endpoint] != none && leafOf[a.endpoint] != a.node) return false;
        leafOf[a.endpoint] = a.node;
        left[a.endpoint] += a.capacity.value();
    }
    m_cable = left.front();
    for (const double each : left)
        if (each <= 0 || std::abs(each - m_cable) > 1e-9 * m_cable) return false;
    for (const auto& a : present.attachments)
        if (const NodeId node = m_spread.nodeOfIntact[a.node]; node == leafOf[a.endpoint]) left[a.endpoint] -= a.capacity.value();
    for (std::uint32_t e = 0; e < left.size(); ++e) { // now what it lost
        const auto& [pod, leaf] = m_leafOf[leafOf[e]];
        if (left[e] > 1e-9 * m_cable) m_pods[pod].leaves[leaf].lost.push_back(left[e]);
    }
    return true;
}

bool LeafSides::takeLinks() {
    for (const auto& tier : m_spread.tiers)
        for (const auto& up : tier.degraded) {
            if (m_graph.network[up.lower] != m_network) continue;
            const auto leaf = m_leafOf.find(up.lower);
            if (leaf == m_leafOf.end()) continue;
            const double failed = (up.share * up.lost * m_spread.full[up.lower]).value();
            Leaf& here = m_pods[leaf->second.first].leaves[leaf->second.second];
            here.above.emplace_back(m_planeOfGroup.at(m_graph.groupAbove[up.upper]), failed);
            here.failed += failed;
        }
    for (Plane& plane : m_planes) {
        std::sort(plane.tops.begin(), plane.tops.end(), std::greater<>());
        plane.tops.insert(plane.tops.begin(), 0);
        std::partial_sum(plane.tops.begin(), plane.tops.end(), plane.tops.begin());
    }
    return true;
}

// The interval of the mean of s is divided where the gain is largest.
double LeafSides::mostGain() const {
    constexpr int intervals = 24;
    struct Interval {
        double gain, from, to;
    };
    std::vector<Interval> all;
    const auto add = [&](double from, double to) { all.push_back({mostGainWithin(from, to), from, to}); };
    const auto comesBefore = [](const Interval& x, const Interval& y) { return x.gain < y.gain; };
    for (int quarter = 0; quarter < 4; ++quarter) add(quarter / 4.0, (quarter + 1) / 4.0);
    while (static_cast<int>(all.size()) < intervals) {
        const auto worst = std::max_element(all.begin(), all.end(), comesBefore);
        const double from = worst->from, to = worst->to;
        all.erase(worst);
        add(from, (from + to) / 2);
        add((from + to) / 2, to);
    }
    return std::max_element(all.begin(), all.end(), comesBefore)->gain;
}

// With any multiplier this is a bound; the best is looked for.
double LeafSides::mostGainWithin(double least, double most) const {
    constexpr int steps = 20;
    const std::vector<std::vector<double>> gains = gainsOfPlanes(most);
    const double planes = static_cast<double>(gains.size());
    double steepest = 0;
    for (const auto& ofPlane : gains) steepest = std::max(steepest, *std::max_element(ofPlane.begin(), ofPlane.end()));
    const auto at = [&](double multiplier) {
        double sum = multiplier * planes * (multiplier > 0 ? most : least);
        for (const auto& ofPlane : gains) {
            const double tops = static_cast<double>(ofPlane.size() - 1);
            double best = -std::numeric_limits<double>::infinity();
            for (std::size_t n = 0; n < ofPlane.size(); ++n)
                best = std::max(best, ofPlane[n] - multiplier * (1 - 2 * static_cast<double>(n) / tops));
            sum += best;
        }
        return sum;
    };
    return leastBetween(-steepest, steepest, steps, at).second;
}

// By plane and number of its tops on B, with D for this mean of s.
std::vector<std::vector<double>> LeafSides::gainsOfPlanes(double most) const {
    std::vector<std::vector<double>> gains;
    for (const Plane& plane : m_planes) {
        const std::size_t tops = plane.tops.size() - 1;
        gains.emplace_back(tops + 1);
        for (std::size_t n = 0; n <= tops; ++n) {
            const double w = std::abs(1 - 2 * static_cast<double>(n) / static_cast<double>(tops));
            gains.back()[n] = (1 - w) * plane.above + w * plane.tops[std::min(n, tops - n)];
        }
    }
    for (const Pod& pod : m_pods) addGains(pod, most, gains);
    return gains;
}

void LeafSides::addGains(const Pod& pod, double most, std::vector<std::vector<double>>& gains) const {
    const std::size_t planes = m_planes.size();
    const auto count = static_cast<double>(planes);
    struct Failed { // of a leaf, with its part of what the hosts under it gain
        double hosts, above;
    };
    std::vector<std::vector<Failed>> failed(planes);
    double elsewhere = 0, all = 0; // hosts under leaves of which no other link failed, and under all
    for (const Leaf& leaf : pod.leaves) {
        const double hosts = hostsOf(leaf, most);
        all += hosts;
        if (leaf.above.empty()) elsewhere += hosts;
        for (const auto& [plane, above] : leaf.above) failed[plane].push_back({hosts * above / leaf.failed, above});
    }
    const auto divided = [&](std::size_t j, double s) {
        double sum = elsewhere / count + std::abs(s) * pod.ofSpines[j];
        for (const Failed& each : failed[j]) sum += std::max(each.hosts + std::max(0.0, -s) * each.above, std::max(0.0, s) * each.above);
        return sum;
    };
    std::vector<double> toB(planes), toA(planes); // what moves between planes
    for (std::size_t j = 0; j < planes; ++j) {
        toB[j] = divided(j, 1) - pod.ofUnanimous[j];
        toA[j] = divided(j, 1) - all / count;
        toA[j] += (1 - most) * (divided(j, -1) - divided(j, 1) - pod.ofUnanimous[j]);
    }
    const double meanB = std::accumulate(toB.begin(), toB.end(), 0.0) / count, meanA = std::accumulate(toA.begin(), toA.end(), 0.0) / count;
    for (std::size_t j = 0; j < planes; ++j) {
        const double tops = static_cast<double>(gains[j].size() - 1);
        for (std::size_t n = 0; n < gains[j].size(); ++n) {
            const double s = 1 - 2 * static_cast<double>(n) / tops;
            const double onB = std::max(0.0, s) * pod.ofUnanimous[j] + toB[j] - meanB;
            const double onA = std::max(0.0, -s) * pod.ofUnanimous[j] + all / count + toA[j] - meanA;
            gains[j][n] += std::max({onB, onA, divided(j, s)});
        }
    }
}

} // namespace

Bandwidth leafSidesBound(const RegularSpread& spread) {
    const RegularSpread::FailedFlow failed = spread.failedFlow();
    double sum = 0;
    for (std::uint32_t network = 0; network < spread.graph.networks; ++network) {
        LeafSides sides(spread, failed, network);
        if (!sides.apply()) return {};
        sum += std::max(0.0, sides.least());
    }
    return Bandwidth(sum);
}

} // namespace railyard
