#include "core/cut/even_spread.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>

namespace railyard {
namespace {

constexpr double tolerance = 1e-9;
constexpr std::uint32_t mostNetworks = 64;

bool isComparable(const Question& now, const Question& intact) {
    return now.key != BisectionKey::GpuWithHb && now.ends.size() == intact.ends.size() && intact.graph.networks <= mostNetworks &&
           intact.graph.networks > 0;
}

using Up = EvenSpread::Up;

std::size_t tierOf(const SwitchGraph& graph, std::uint32_t node) { return static_cast<std::size_t>(graph.tier[node]); }

// Links of the present fabric, asked for in rising order of their intact nodes, lower first.
class Left {
public:
    explicit Left(const EvenSpread& spread) : m_spread(spread), m_at(spread.now.graph.edges.begin()) {}

    // True where the lower switch has links of that capacity or more to all these (in rising order) and no others: then they
    // are passed over.
    bool takeWhole(std::uint32_t lower, const std::vector<std::uint32_t>& uppers, double capacity) {
        while (m_at != end() && m_spread.nodeNow[m_at->lower] < lower) ++m_at;
        auto it = m_at;
        auto upper = uppers.begin();
        for (; it != end() && m_spread.nodeNow[it->lower] == lower; ++it, ++upper)
            if (upper == uppers.end() || m_spread.nodeNow[it->upper] != *upper || it->capacity.value() < capacity) return false;
        if (upper != uppers.end()) return false;
        m_at = it;
        return true;
    }
    double capacityOf(std::uint32_t lower, std::uint32_t upper) {
        const std::pair own(lower, upper);
        const auto key = [&] { return std::pair(m_spread.nodeNow[m_at->lower], m_spread.nodeNow[m_at->upper]); };
        while (m_at != end() && key() < own) ++m_at;
        return m_at != end() && key() == own ? m_at->capacity.value() : 0;
    }

private:
    std::vector<SwitchGraph::Edge>::const_iterator end() const { return m_spread.now.graph.edges.end(); }
    const EvenSpread& m_spread;
    std::vector<SwitchGraph::Edge>::const_iterator m_at;
};

// Which groups go by their switches. False where a link does not lead upwards.
bool takeGroups(EvenSpread& spread, std::vector<bool>& isEven) {
    const SwitchGraph& graph = spread.graph;
    isEven.assign(graph.groups.size(), false);
    for (std::uint32_t g = 0; g < graph.groups.size(); ++g) {
        const auto& group = graph.groups[g];
        isEven[g] = group.even && leadsUpInTiers(graph, group);
        if (isEven[g]) spread.tiers[tierOf(graph, group.lowers[0])].even.push_back(g);
    }
    return std::all_of(graph.edges.begin(), graph.edges.end(), [&](const SwitchGraph::Edge& edge) {
        return isEven[graph.groupAbove[edge.lower]] || graph.tier[edge.lower] < graph.tier[edge.upper];
    });
}

// The links of the intact fabric that are not as many of an even group's, with what is left of each.
bool takeLinks(EvenSpread& spread) {
    const SwitchGraph& graph = spread.graph;
    std::size_t most = 0;
    for (std::uint32_t v = 0; v < graph.device.size(); ++v) most = std::max(most, tierOf(graph, v) + 1);
    spread.tiers.resize(most);
    std::vector<bool> isEven;
    if (!takeGroups(spread, isEven)) return false;
    Left left(spread);
    for (std::uint32_t lower = 0; lower < graph.device.size(); ++lower) {
        const std::uint32_t g = graph.groupAbove[lower];
        if (g == none) continue;
        spread.isTop[lower] = false;
        EvenSpread::Tier& tier = spread.tiers[tierOf(graph, lower)];
        const auto take = [&](std::uint32_t upper, double before, bool alike) {
            const Up up{lower, upper, before / graph.uplink[lower], std::max(0.0, 1 - left.capacityOf(lower, upper) / before)};
            if (!alike) tier.others.push_back(up);
            if (up.lost > 0) tier.hurt.push_back(up);
        };
        if (!isEven[g]) {
            for (const auto& edge : graph.edgesAbove(lower)) take(edge.upper, edge.capacity.value(), false);
            continue;
        }
        const auto& uppers = graph.groups[g].uppers;
        const double before = graph.uplink[lower] / static_cast<double>(uppers.size());
        if (left.takeWhole(lower, uppers, before)) continue;
        for (const std::uint32_t upper : uppers) take(upper, before, true);
    }
    return true;
}

double randomWeight(std::uint64_t seed, std::uint32_t node) { // splitmix64
    std::uint64_t z = seed * 0x9e3779b97f4a7c15ULL + node * 0xd1342543de82ef95ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) / static_cast<double>(1ULL << 53);
}

// All leaves of a network spread over its top switches in one proportion. Three random weights of the top switches see
// any difference.
bool isAlike(const EvenSpread& spread) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        std::vector<double> value(spread.isTop.size());
        for (std::uint32_t v = 0; v < value.size(); ++v)
            if (spread.isTop[v]) value[v] = randomWeight(seed, v);
        value = spread.seenFromBelow(std::move(value));
        std::vector<double> ofNetwork(spread.graph.networks, -1);
        for (std::uint32_t v = 0; v < value.size(); ++v) {
            if (spread.fromEnds[v] <= 0) continue;
            double& seen = ofNetwork[spread.graph.network[v]];
            if (seen < 0) seen = value[v];
            if (std::abs(value[v] - seen) > tolerance) return false;
        }
    }
    return true;
}

void takeFlows(EvenSpread& spread) {
    spread.fromEnds.assign(spread.isTop.size(), 0);
    spread.fromEndsNow = spread.fromEnds;
    spread.injection.assign(spread.graph.networks, 0);
    for (const auto& a : spread.intact.ends.attachments) {
        spread.fromEnds[a.node] += a.capacity;
        spread.injection[spread.graph.network[a.node]] += a.capacity;
    }
    for (const auto& a : spread.now.ends.attachments) spread.fromEndsNow[spread.nodeNow[a.node]] += a.capacity;
    spread.full = spread.sentUp(spread.fromEnds);
}

} // namespace

void EvenSpread::sendUp(const Tier& tier, std::vector<double>& flow) const {
    for (const std::uint32_t g : tier.even) {
        const auto& group = graph.groups[g];
        double sum = 0;
        for (const std::uint32_t v : group.lowers) sum += flow[v];
        for (const std::uint32_t v : group.uppers) flow[v] += sum / static_cast<double>(group.uppers.size());
    }
    for (const Up& up : tier.others) flow[up.upper] += up.share * flow[up.lower];
}

void EvenSpread::sendDown(const Tier& tier, std::vector<double>& value) const {
    for (const std::uint32_t g : tier.even) {
        const auto& group = graph.groups[g];
        double sum = 0;
        for (const std::uint32_t v : group.uppers) sum += value[v];
        for (const std::uint32_t v : group.lowers) value[v] += sum / static_cast<double>(group.uppers.size());
    }
    for (const Up& up : tier.others) value[up.lower] += up.share * value[up.upper];
}

std::vector<double> EvenSpread::sentUp(std::vector<double> flow) const {
    for (const Tier& tier : tiers) sendUp(tier, flow);
    return flow;
}

std::vector<double> EvenSpread::seenFromBelow(std::vector<double> value) const {
    for (auto tier = tiers.rbegin(); tier != tiers.rend(); ++tier) sendDown(*tier, value);
    return value;
}

std::vector<EvenSpread::Up> EvenSpread::everyLink() const {
    std::vector<Up> all;
    const auto before = [](const Up& x, const Up& y) { return std::pair(x.lower, x.upper) < std::pair(y.lower, y.upper); };
    for (const Tier& tier : tiers) {
        std::vector<Up> here = tier.others;
        for (const std::uint32_t g : tier.even)
            for (const std::uint32_t lower : graph.groups[g].lowers)
                for (const std::uint32_t upper : graph.groups[g].uppers)
                    here.push_back({lower, upper, 1 / static_cast<double>(graph.groups[g].uppers.size()), 0});
        std::sort(here.begin(), here.end(), before);
        auto at = here.begin();
        for (const Up& up : tier.hurt) { // in the same order
            at = std::lower_bound(at, here.end(), up, before);
            at->lost = up.lost;
        }
        all.insert(all.end(), here.begin(), here.end());
    }
    return all;
}

std::vector<std::uint32_t> nodesBefore(const Question& now, const Question& intact) {
    std::vector<std::uint32_t> nodeOf(intact.fabric.devices.size(), none), result;
    for (std::uint32_t v = 0; v < intact.graph.device.size(); ++v) nodeOf[intact.graph.device[v]] = v;
    for (const std::uint32_t device : now.graph.device) result.push_back(nodeOf[now.fabric.intactDevice[device]]);
    return result;
}

std::optional<EvenSpread> evenSpreadOf(const Question& now, const Question& intact, std::vector<std::uint32_t> nodeNow) {
    if (!isComparable(now, intact)) return {};
    EvenSpread spread{now, intact, intact.graph, std::move(nodeNow), {}, {}, {}, {}, {}, {}};
    spread.isTop.assign(spread.graph.device.size(), true);
    if (!takeLinks(spread)) return {};
    takeFlows(spread);
    if (!isAlike(spread)) return {};
    for (std::uint32_t v = 0; v < spread.full.size(); ++v)
        if (!spread.isTop[v] && spread.full[v] > spread.graph.uplink[v] * (1 + tolerance)) return {};
    return spread;
}

bool isInTiers(const SwitchGraph& graph) {
    return std::all_of(graph.groups.begin(), graph.groups.end(), [&](const SwitchGraph::Group& group) {
        return leadsUpInTiers(graph, group) && graph.tier[group.lowers[0]] >= SwitchTier::Leaf;
    });
}

std::optional<Question> evenPart(const Question& q) {
    Question even = q;
    std::vector<Bandwidth> thinnest(q.graph.groups.size());
    std::vector<std::size_t> pairs(q.graph.groups.size());
    for (const auto& edge : q.graph.edges) {
        const std::uint32_t g = q.graph.groupAbove[edge.lower];
        thinnest[g] = pairs[g]++ == 0 ? edge.capacity : std::min(thinnest[g], edge.capacity);
    }
    for (std::size_t g = 0; g < pairs.size(); ++g) {
        auto& group = even.graph.groups[g];
        if (pairs[g] != group.lowers.size() * group.uppers.size()) return {};
        group.even = true;
    }
    even.graph.uplink.assign(q.graph.device.size(), 0);
    for (auto& edge : even.graph.edges) {
        edge.capacity = thinnest[q.graph.groupAbove[edge.lower]];
        even.graph.uplink[edge.lower] += edge.capacity.value();
    }
    even.graph.even = true;
    return even;
}

namespace {

using Edge = SwitchGraph::Edge;

// What most pairs of a group have: whatever more than half of them have, else what the last of them have.
Edge commonEdge(const SwitchGraph& graph, const SwitchGraph::Group& group) {
    Edge common = graph.edgesAbove(group.lowers[0]).front();
    if (group.even) return common;
    int votes = 0;
    for (const std::uint32_t v : group.lowers)
        for (const auto& edge : graph.edgesAbove(v)) {
            if (votes == 0) common = edge;
            votes += edge.capacity == common.capacity ? 1 : -1;
        }
    return common;
}

// An upper switch that few lower ones lead to, such as one just drawn, is not of the even fabric. False where it leads on:
// without it the networks might not be what they were.
bool dropSparseUppers(const SwitchGraph& whole, SwitchGraph& graph) {
    std::vector<std::size_t> below(graph.device.size());
    bool isTop = true;
    for (auto& group : graph.groups) {
        if (group.even) continue;
        for (const std::uint32_t v : group.lowers)
            for (const auto& edge : whole.edgesAbove(v)) ++below[edge.upper];
        std::erase_if(group.uppers, [&](std::uint32_t v) {
            const bool sparse = 2 * below[v] < group.lowers.size();
            if (sparse) graph.groupBelow[v] = none;
            isTop = isTop && (!sparse || graph.groupAbove[v] == none);
            return sparse;
        });
    }
    return isTop;
}

// The capacity of that group of the even fabric that still exists: bit/s.
double presentOf(const SwitchGraph& now, const SwitchGraph& even, std::size_t g, Bandwidth common) {
    const auto& group = now.groups[g];
    if (group.even) return static_cast<double>(group.lowers.size() * group.uppers.size()) * common.value();
    double sum = 0;
    for (const std::uint32_t v : group.lowers)
        for (const auto& edge : now.edgesAbove(v))
            if (even.groupBelow[edge.upper] != none) sum += std::min(edge.capacity, common).value();
    return sum;
}

// A node in place of an upper switch that is missing: no device stands for it.
void addUpper(SwitchGraph& graph, std::uint32_t g, std::uint32_t above) {
    const auto v = static_cast<std::uint32_t>(graph.device.size());
    const std::uint32_t like = graph.groups[g].uppers.front();
    graph.device.push_back(none);
    graph.tier.push_back(graph.tier[like]);
    graph.network.push_back(graph.network[like]);
    graph.groupAbove.push_back(above);
    graph.groupBelow.push_back(g);
    graph.groups[g].uppers.push_back(v);
    if (above != none) graph.groups[above].lowers.push_back(v);
}

// A pod whose spines do not reach all the planes that other pods reach gets a node for each that is missing.
void addMissingSpines(SwitchGraph& graph) {
    using List = std::vector<std::uint32_t>; // groups above, sorted
    std::vector<List> above(graph.groups.size());
    std::map<List, std::size_t> times;
    for (std::size_t g = 0; g < above.size(); ++g) {
        for (const std::uint32_t v : graph.groups[g].uppers) above[g].push_back(graph.groupAbove[v]);
        std::sort(above[g].begin(), above[g].end());
        if (!above[g].empty() && above[g].front() != none && above[g].back() != none) ++times[above[g]];
    }
    for (std::uint32_t g = 0; g < above.size(); ++g) {
        if (!times.contains(above[g])) continue;
        const List* usual = nullptr;
        for (const auto& [list, count] : times)
            if (list.size() > above[g].size() && count > times[above[g]] && (!usual || count > times[*usual]) &&
                std::includes(list.begin(), list.end(), above[g].begin(), above[g].end()))
                usual = &list;
        if (!usual) continue;
        List missing;
        std::set_difference(usual->begin(), usual->end(), above[g].begin(), above[g].end(), std::back_inserter(missing));
        for (const std::uint32_t plane : missing) addUpper(graph, g, plane);
    }
}

// Groups of the top tier that have fewer upper switches than most get nodes in their place.
void addMissingTops(SwitchGraph& graph) {
    const auto isTop = [&](const SwitchGraph::Group& group) {
        return std::none_of(group.uppers.begin(), group.uppers.end(), [&](std::uint32_t v) { return graph.groupAbove[v] != none; });
    };
    std::map<std::size_t, std::size_t> sizes;
    for (const auto& group : graph.groups) sizes[group.uppers.size()] += isTop(group) ? 1 : 0;
    const auto most = std::max_element(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (sizes.empty()) return;
    for (std::uint32_t g = 0; g < graph.groups.size(); ++g) {
        auto& group = graph.groups[g];
        if (!isTop(group) || group.uppers.empty()) continue;
        while (group.uppers.size() < most->first) addUpper(graph, g, none);
    }
}

SwitchGraph allButEdges(const SwitchGraph& graph, BisectionKey key) {
    return {.device = graph.device,
            .tier = graph.tier,
            .uplink = {},
            .edges = {},
            .firstEdge = {},
            .hosts = key == BisectionKey::GpuWithHb ? graph.hosts : std::vector<SwitchGraph::Host>(), // else the endpoints say it
            .network = graph.network,
            .networks = graph.networks,
            .groups = graph.groups,
            .groupAbove = graph.groupAbove,
            .groupBelow = graph.groupBelow,
            .even = graph.even,
            .direct = graph.direct};
}

} // namespace

std::optional<EvenWhole> evenWhole(const Question& q) {
    constexpr double mostMissing = 0.2; // of the capacity of the even fabric; beyond that its bound says little
    EvenWhole whole{{q.fabric, q.key, allButEdges(q.graph, q.key), q.ends}, 0};
    SwitchGraph& graph = whole.question.graph;
    if (!dropSparseUppers(q.graph, graph) || !isInTiers(graph)) return {};
    for (const auto& a : q.ends.attachments) // what was dropped would be missed
        if (graph.groupBelow[a.node] != q.graph.groupBelow[a.node]) return {};
    addMissingSpines(graph);
    addMissingTops(graph);
    if (q.graph.even && graph.device.size() == q.graph.device.size()) return {}; // as it was
    graph.even = true;
    graph.uplink.assign(graph.device.size(), 0);
    double capacity = 0;
    for (std::size_t g = 0; g < graph.groups.size(); ++g) {
        auto& group = graph.groups[g];
        std::sort(group.uppers.begin(), group.uppers.end());
        const Bandwidth common = commonEdge(q.graph, q.graph.groups[g]).capacity;
        const double up = static_cast<double>(group.uppers.size()) * common.value();
        for (const std::uint32_t v : group.lowers) graph.uplink[v] = up;
        capacity += static_cast<double>(group.lowers.size()) * up;
        whole.missing += static_cast<double>(group.lowers.size()) * up - presentOf(q.graph, graph, g, common);
        group.even = true;
    }
    if (capacity <= 0 || whole.missing > mostMissing * capacity) return {};
    return whole;
}

double largerHalfLessSmaller(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() + 1) / 2);
    std::nth_element(values.begin(), middle, values.end(), std::greater<>());
    return std::accumulate(values.begin(), middle, 0.0) - std::accumulate(middle, values.end(), 0.0);
}

} // namespace railyard
