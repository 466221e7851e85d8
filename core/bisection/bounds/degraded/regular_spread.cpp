#include "core/bisection/bounds/degraded/regular_spread.h"

#include "core/base/random.h"

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

bool isComparable(const BisectionProblem& now, const BisectionProblem& intact) {
    return now.key != BisectionKey::GpuWithHb && now.ends.size() == intact.ends.size() && intact.graph.networks <= mostNetworks &&
           intact.graph.networks > 0;
}

using Up = RegularSpread::Up;

std::size_t tierOf(const SwitchGraph& graph, NodeId node) { return static_cast<std::size_t>(graph.tier[node]); }

// Links of the present fabric, asked for in rising order of their intact nodes, lower first.
class RemainingCapacity {
public:
    explicit RemainingCapacity(const RegularSpread& spread) : m_spread(spread), m_at(spread.now.graph.edges.begin()) {}

    // True where the lower switch has links of that capacity or more to all these (in rising order) and no others: then they
    // are passed over.
    bool takeIntact(NodeId lower, const std::vector<NodeId>& uppers, Bandwidth capacity) {
        while (m_at != end() && m_spread.nodeOfIntact[m_at->lower] < lower) ++m_at;
        auto it = m_at;
        auto upper = uppers.begin();
        for (; it != end() && m_spread.nodeOfIntact[it->lower] == lower; ++it, ++upper)
            if (upper == uppers.end() || m_spread.nodeOfIntact[it->upper] != *upper || it->capacity < capacity) return false;
        if (upper != uppers.end()) return false;
        m_at = it;
        return true;
    }
    Bandwidth capacityOf(NodeId lower, NodeId upper) {
        const std::pair own(lower, upper);
        const auto key = [&] { return std::pair(m_spread.nodeOfIntact[m_at->lower], m_spread.nodeOfIntact[m_at->upper]); };
        while (m_at != end() && key() < own) ++m_at;
        return m_at != end() && key() == own ? m_at->capacity : Bandwidth();
    }

private:
    std::vector<SwitchGraph::Edge>::const_iterator end() const { return m_spread.now.graph.edges.end(); }
    const RegularSpread& m_spread;
    std::vector<SwitchGraph::Edge>::const_iterator m_at;
};

// Which groups go by their switches. False where a link does not lead upwards.
bool takeGroups(RegularSpread& spread, std::vector<bool>& isRegular) {
    const SwitchGraph& graph = spread.graph;
    isRegular.assign(graph.groups.size(), false);
    for (std::uint32_t g = 0; g < graph.groups.size(); ++g) {
        const auto& group = graph.groups[g];
        isRegular[g] = group.regular && leadsUpInTiers(graph, group);
        if (isRegular[g]) spread.tiers[tierOf(graph, group.lowers[0])].regular.push_back(g);
    }
    return std::all_of(graph.edges.begin(), graph.edges.end(), [&](const SwitchGraph::Edge& edge) {
        return isRegular[graph.groupAbove[edge.lower]] || graph.tier[edge.lower] < graph.tier[edge.upper];
    });
}

// The links of the intact fabric that are not as many of an even group's, with what is left of each.
bool takeLinks(RegularSpread& spread) {
    const SwitchGraph& graph = spread.graph;
    std::size_t most = 0;
    for (const NodeId v : graph.nodes()) most = std::max(most, tierOf(graph, v) + 1);
    spread.tiers.resize(most);
    std::vector<bool> isRegular;
    if (!takeGroups(spread, isRegular)) return false;
    RemainingCapacity remaining(spread);
    for (const NodeId lower : graph.nodes()) {
        const auto g = graph.groupAbove[lower];
        if (g == none) continue;
        spread.isTop[lower] = false;
        RegularSpread::Tier& tier = spread.tiers[tierOf(graph, lower)];
        const auto take = [&](NodeId upper, Bandwidth before, bool isEqual) {
            const Up up{lower, upper, before / graph.uplink[lower], std::max(0.0, 1 - remaining.capacityOf(lower, upper) / before)};
            if (!isEqual) tier.others.push_back(up);
            if (up.lost > 0) tier.degraded.push_back(up);
        };
        if (!isRegular[g]) {
            for (const auto& edge : graph.edgesAbove(lower)) take(edge.upper, edge.capacity, false);
            continue;
        }
        const auto& uppers = graph.groups[g].uppers;
        const Bandwidth before = graph.uplink[lower] / static_cast<double>(uppers.size());
        if (remaining.takeIntact(lower, uppers, before)) continue;
        for (const NodeId upper : uppers) take(upper, before, true);
    }
    return true;
}

double randomWeight(std::uint64_t seed, NodeId node) {
    return static_cast<double>(mixedBits(seed * randomStep + node * 0xd1342543de82ef95ULL) >> 11) / static_cast<double>(1ULL << 53);
}

// All leaves of a network spread over its top switches in one proportion. Three random weights of the top switches see
// any difference.
bool isSameClass(const RegularSpread& spread) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        std::vector<double> value(spread.isTop.size());
        for (NodeId v(0); v < value.size(); ++v)
            if (spread.isTop[v]) value[v] = randomWeight(seed, v);
        value = spread.seenFromBelow(std::move(value));
        std::vector<double> ofNetwork(spread.graph.networks, -1);
        for (std::uint32_t v = 0; v < value.size(); ++v) {
            if (spread.fromEnds[v] <= Bandwidth()) continue;
            double& seen = ofNetwork[spread.graph.network[v]];
            if (seen < 0) seen = value[v];
            if (std::abs(value[v] - seen) > tolerance) return false;
        }
    }
    return true;
}

void takeFlows(RegularSpread& spread) {
    spread.fromEnds.assign(spread.isTop.size(), Bandwidth());
    spread.fromEndsNow = spread.fromEnds;
    spread.injection.assign(spread.graph.networks, Bandwidth());
    for (const auto& a : spread.intact.ends.attachments) {
        spread.fromEnds[a.node] += a.capacity;
        spread.injection[spread.graph.network[a.node]] += a.capacity;
    }
    for (const auto& a : spread.now.ends.attachments) spread.fromEndsNow[spread.nodeOfIntact[a.node]] += a.capacity;
    spread.full = spread.sentUp(spread.fromEnds);
}

} // namespace

void RegularSpread::sendUp(const Tier& tier, std::vector<Bandwidth>& flow) const {
    for (const auto g : tier.regular) {
        const auto& group = graph.groups[g];
        Bandwidth sum;
        for (const auto v : group.lowers) sum += flow[v];
        for (const auto v : group.uppers) flow[v] += sum / static_cast<double>(group.uppers.size());
    }
    for (const Up& up : tier.others) flow[up.upper] += up.share * flow[up.lower];
}

void RegularSpread::sendDown(const Tier& tier, std::vector<double>& value) const {
    for (const auto g : tier.regular) {
        const auto& group = graph.groups[g];
        double sum = 0;
        for (const auto v : group.uppers) sum += value[v];
        for (const auto v : group.lowers) value[v] += sum / static_cast<double>(group.uppers.size());
    }
    for (const Up& up : tier.others) value[up.lower] += up.share * value[up.upper];
}

std::vector<Bandwidth> RegularSpread::sentUp(std::vector<Bandwidth> flow) const {
    for (const Tier& tier : tiers) sendUp(tier, flow);
    return flow;
}

std::vector<double> RegularSpread::seenFromBelow(std::vector<double> value) const {
    for (auto tier = tiers.rbegin(); tier != tiers.rend(); ++tier) sendDown(*tier, value);
    return value;
}

std::vector<RegularSpread::Up> RegularSpread::everyLink() const {
    std::vector<Up> all;
    const auto before = [](const Up& x, const Up& y) { return std::pair(x.lower, x.upper) < std::pair(y.lower, y.upper); };
    for (const Tier& tier : tiers) {
        std::vector<Up> here = tier.others;
        for (const auto g : tier.regular)
            for (const NodeId lower : graph.groups[g].lowers)
                for (const NodeId upper : graph.groups[g].uppers)
                    here.push_back({lower, upper, 1 / static_cast<double>(graph.groups[g].uppers.size()), 0});
        std::sort(here.begin(), here.end(), before);
        auto at = here.begin();
        for (const Up& up : tier.degraded) { // in the same order
            at = std::lower_bound(at, here.end(), up, before);
            at->lost = up.lost;
        }
        all.insert(all.end(), here.begin(), here.end());
    }
    return all;
}

RegularSpread::FailedFlow RegularSpread::failedFlow() const {
    FailedFlow failed{std::vector<Bandwidth>(isTop.size()), std::vector<Bandwidth>(isTop.size())};
    for (const Tier& tier : tiers)
        for (const Up& up : tier.degraded) {
            const Bandwidth flow = up.share * up.lost * full[up.lower];
            failed.above[up.lower] += flow;
            failed.below[up.upper] += flow;
        }
    return failed;
}

bool RegularSpread::isPod(std::uint32_t group) const {
    if (group == none || !graph.groups[group].regular) return false;
    const auto& spines = graph.groups[group].uppers;
    return std::all_of(spines.begin(), spines.end(), [&](NodeId spine) {
        if (fromEnds[spine] > Bandwidth() || isTop[spine] != isTop[spines.front()]) return false;
        if (isTop[spine]) return true;
        const auto above = graph.groupAbove[spine];
        if (above == none || !graph.groups[above].regular) return false;
        const auto& tops = graph.groups[above].uppers;
        return std::all_of(tops.begin(), tops.end(), [&](NodeId top) { return isTop[top]; });
    });
}

By<NodeId, NodeId> nodesOfIntact(const BisectionProblem& now, const BisectionProblem& intact) {
    const By<DeviceId, NodeId> nodeOf = nodesOfDevices(intact.fabric, intact.graph);
    By<NodeId, NodeId> result;
    for (const DeviceId device : now.graph.device) result.push_back(nodeOf[now.fabric.intactDevice[device]]);
    return result;
}

std::optional<RegularSpread> regularSpreadOf(const BisectionProblem& now, const BisectionProblem& intact, By<NodeId, NodeId> nodeOfIntact) {
    if (!isComparable(now, intact)) return {};
    RegularSpread spread{now, intact, intact.graph, std::move(nodeOfIntact), {}, {}, {}, {}, {}, {}};
    spread.isTop.assign(spread.graph.device.size(), true);
    if (!takeLinks(spread)) return {};
    takeFlows(spread);
    if (!isSameClass(spread)) return {};
    for (std::uint32_t v = 0; v < spread.full.size(); ++v)
        if (!spread.isTop[v] && spread.full[v] > spread.graph.uplink[v] * (1 + tolerance)) return {};
    return spread;
}

Bandwidth largerHalfLessSmaller(std::vector<Bandwidth> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() + 1) / 2);
    std::nth_element(values.begin(), middle, values.end(), std::greater<>());
    return std::accumulate(values.begin(), middle, Bandwidth()) - std::accumulate(middle, values.end(), Bandwidth());
}

} // namespace railyard
