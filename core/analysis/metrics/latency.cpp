#include "core/analysis/metrics/latency.h"

#include "core/routing/link_loads.h"
#include "core/routing/switches/flat_router.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace railyard {

PathLatency& PathLatency::operator+=(const PathLatency& more) {
    switches += more.switches;
    serialisation += more.serialisation;
    cable += more.cable;
    return *this;
}

namespace {

PathLatency operator+(PathLatency a, const PathLatency& b) { return a += b; }
PathLatency operator*(const PathLatency& a, double times) { return {a.switches * times, a.serialisation * times, a.cable * times}; }

// What a link and a switch add to a path.
class Steps {
public:
    Steps(const Fabric& fabric, const Cabling& cabling) : m_fabric(fabric), m_cabling(cabling) {}
    PathLatency ofLink(LinkId link) const {
        return {{}, transferTime(serialisedBytes, m_fabric.speedOf(link)), m_cabling.choiceOf(link).ordered};
    }
    std::optional<Seconds> ofSwitch(DeviceId device) const {
        const Part* part = m_fabric.partOf(device);
        const SwitchPart* details = part ? part->as<SwitchPart>() : nullptr;
        return details && details->latencyNs ? std::optional(Seconds(*details->latencyNs * 1e-9)) : std::nullopt;
    }

private:
    const Fabric& m_fabric;
    const Cabling& m_cabling;
};

// If every GPU sends one unit to every GPU of another HB domain, a link takes part in as many paths as it carries units.
std::optional<PathLatency> meanOf(const Fabric& fabric, const LinkLoads& loads, const Steps& steps) {
    double pairs = 0;
    PathLatency sum;
    std::vector<double> through(fabric.devices.size());
    for (const LinkId l : fabric.links.ids()) {
        const double units = loads.aToB[l] + loads.bToA[l];
        if (!fabric.isNetworkLink(l) || units <= 0) continue;
        const PathLatency link = steps.ofLink(l);
        sum.serialisation += link.serialisation * units;
        sum.cable += link.cable * units;
        through[fabric.links.b[l]] += loads.aToB[l];
        through[fabric.links.a[l]] += loads.bToA[l];
        if (fabric.links.tier[l] != LinkTier::HostLeaf) continue;
        pairs += loads.aToB[l];
        if (fabric.devices.isNic(fabric.links.b[l])) pairs += loads.bToA[l]; // from NIC to NIC
    }
    if (pairs <= 0) return {};
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.routes(d) && through[d] > 0) sum.switches += *steps.ofSwitch(d) * through[d];
    return PathLatency{sum.switches / pairs, sum.serialisation / pairs, Metres(sum.cable.value() / pairs)};
}

// A way up from the NIC ports of an HB domain. Ways of one branch meet below, so they do not meet again.
struct Climb {
    PathLatency latency;
    std::uint32_t domain = 0, branch = 0;
};

void sortLongestFirst(std::vector<Climb>& climbs) {
    const auto isBefore = [](const Climb& a, const Climb& b) {
        return std::tuple(-a.latency.total().value(), a.branch, a.domain) < std::tuple(-b.latency.total().value(), b.branch, b.domain);
    };
    std::sort(climbs.begin(), climbs.end(), isBefore);
}

// The longest sum of two ways of different branches and domains.
std::optional<PathLatency> longestMeeting(const std::vector<Climb>& climbs) { // longest first
    std::optional<PathLatency> best;
    for (std::size_t i = 0; i + 1 < climbs.size(); ++i) {
        if (best && (climbs[i].latency + climbs[i + 1].latency).total() <= best->total()) break;
        for (std::size_t j = i + 1; j < climbs.size(); ++j) {
            if (climbs[i].branch == climbs[j].branch || climbs[i].domain == climbs[j].domain) continue;
            const PathLatency both = climbs[i].latency + climbs[j].latency;
            if (!best || both.total() > best->total()) best = both;
            break; // the others are no longer
        }
    }
    return best;
}

// The longest way and the longest of another domain: who meets them is not of both.
std::vector<Climb> twoDomains(const std::vector<Climb>& climbs) { // longest first
    std::vector<Climb> two;
    for (const Climb& climb : climbs) {
        if (two.size() == 1 && climb.domain == two.front().domain) continue;
        two.push_back(climb);
        if (two.size() == 2) break;
    }
    return two;
}

class LongestPath {
public:
    LongestPath(const Fabric& fabric, const SwitchGraph& graph, const Steps& steps, const std::vector<bool>& isUsed)
        : m_fabric(fabric),
          m_graph(graph),
          m_steps(steps),
          m_isUsed(isUsed),
          m_climbs(graph.device.size()) {}

    // Tiers that are joined so that any two switches below one part meet directly above: then they meet nowhere else.
    bool isByTiers() const {
        const auto isOnLeaf = [&](const SwitchGraph::Host& host) { return m_graph.groupBelow[host.node] == none; };
        if (!std::all_of(m_graph.hosts.begin(), m_graph.hosts.end(), isOnLeaf)) return false;
        std::vector<std::size_t> below(m_graph.device.size());
        for (const auto& edge : m_graph.edges) ++below[edge.upper];
        return std::all_of(m_graph.groups.begin(), m_graph.groups.end(), [&](const SwitchGraph::Group& group) {
            const auto tierOf = [&](NodeId node) { return static_cast<int>(m_graph.tier[node]); };
            return leadsUpInTiers(m_graph, group) && tierOf(group.uppers.front()) == tierOf(group.lowers.front()) + 1 &&
                   std::any_of(group.uppers.begin(), group.uppers.end(), [&](NodeId upper) { return below[upper] == group.lowers.size(); });
        });
    }

    std::optional<PathLatency> byTiers() {
        startAtNics();
        std::vector<std::vector<LinkId>> linksBelow(m_graph.device.size());
        const By<DeviceId, NodeId> nodeOf = nodesOfDevices(m_fabric, m_graph);
        for (const LinkId l : m_fabric.links.ids())
            if (m_fabric.isNetworkLink(l) && nodeOf[m_fabric.links.a[l]] != none && nodeOf[m_fabric.links.b[l]] != none)
                linksBelow[nodeOf[m_fabric.links.b[l]]].push_back(l);
        std::vector<NodeId> order(m_graph.device.size());
        for (NodeId v(0); v < order.size(); ++v) order[v] = v;
        std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return m_graph.tier[a] < m_graph.tier[b]; });
        std::optional<PathLatency> longest;
        for (const auto v : order) {
            std::vector<Climb>& here = m_climbs[v];
            for (const LinkId l : linksBelow[v]) {
                const NodeId lower = nodeOf[m_fabric.links.a[l]];
                const auto branch = m_graph.groupBelow[lower] == none ? lower : m_graph.groupBelow[lower];
                for (const Climb& climb : m_climbs[lower]) here.push_back({climb.latency + m_steps.ofLink(l), climb.domain, branch});
            }
            if (here.empty()) continue;
            sortLongestFirst(here);
            const PathLatency own = ofSwitch(v);
            if (auto met = longestMeeting(here)) {
                *met += own;
                if (!longest || met->total() > longest->total()) longest = met;
            }
            here = twoDomains(here);
            for (Climb& climb : here) climb.latency += own;
        }
        return longest;
    }

    // From each switch with NICs to all others, along all shortest paths.
    std::optional<PathLatency> oneByOne() {
        startAtNics();
        std::vector<NodeId> ends;
        std::optional<PathLatency> longest;
        const auto take = [&](const std::optional<PathLatency>& found) {
            if (found && (!longest || found->total() > longest->total())) longest = found;
        };
        for (NodeId v(0); v < m_climbs.size(); ++v) {
            if (m_climbs[v].empty()) continue;
            ends.push_back(v);
            sortLongestFirst(m_climbs[v]);
            if (auto met = longestMeeting(m_climbs[v])) take(*met + ofSwitch(v));
            m_climbs[v] = twoDomains(m_climbs[v]);
        }
        const std::vector<PathLatency> ofEdge = longestOfEdges();
        FlatRouter router(m_graph);
        std::vector<PathLatency> rest(m_graph.device.size());
        std::vector<NodeId> byHops;
        for (const auto to : ends) {
            router.aimAt(to);
            byHops.clear();
            for (NodeId v(0); v < rest.size(); ++v)
                if (router.hops(v) < FlatRouter::unreachable) byHops.push_back(v);
            std::sort(byHops.begin(), byHops.end(), [&](NodeId a, NodeId b) { return router.hops(a) < router.hops(b); });
            for (const auto v : byHops) {
                rest[v] = {};
                if (v != to)
                    router.eachNext(v, [&](const FlatRouter::Arc& arc) {
                        const PathLatency path = ofEdge[arc.edge] + rest[arc.node];
                        if (path.total() > rest[v].total()) rest[v] = path;
                    });
                rest[v] += ofSwitch(v);
                if (v == to || m_climbs[v].empty()) continue;
                for (const Climb& climb : m_climbs[v])
                    for (const Climb& end : m_climbs[to])
                        if (climb.domain != end.domain) take(climb.latency + rest[v] + end.latency);
            }
        }
        return longest;
    }

    double workOneByOne() const {
        std::vector<bool> isEnd(m_graph.device.size());
        for (const auto& host : m_graph.hosts) isEnd[host.node] = isEnd[host.node] || m_isUsed[host.link];
        return static_cast<double>(std::count(isEnd.begin(), isEnd.end(), true)) *
               static_cast<double>(m_graph.edges.size() + m_graph.device.size());
    }

private:
    PathLatency ofSwitch(NodeId node) const { // those on a path have a latency
        if (m_graph.device[node] == none) return {};
        return {m_steps.ofSwitch(m_graph.device[node]).value_or(Seconds()), {}, {}};
    }
    void startAtNics() {
        std::uint32_t branch = static_cast<std::uint32_t>(m_graph.device.size() + m_graph.groups.size());
        for (const auto& host : m_graph.hosts)
            if (m_isUsed[host.link]) {
                PathLatency own = m_steps.ofLink(host.link);
                if (m_graph.device[host.node] == none) own = own * 0.5; // half of a cable between two NICs
                m_climbs[host.node].push_back({own, m_fabric.devices.hbDomain[host.nic], branch++});
            }
    }
    std::vector<PathLatency> longestOfEdges() const {
        std::vector<PathLatency> ofEdge(m_graph.edges.size());
        const By<DeviceId, NodeId> nodeOf = nodesOfDevices(m_fabric, m_graph);
        for (const LinkId l : m_fabric.links.ids()) {
            if (!m_fabric.isNetworkLink(l)) continue;
            const NodeId lower = nodeOf[m_fabric.links.a[l]], upper = nodeOf[m_fabric.links.b[l]];
            if (lower == none || upper == none) continue;
            for (const auto& edge : m_graph.edgesAbove(lower))
                if (edge.upper == upper) {
                    PathLatency& own = ofEdge[static_cast<std::size_t>(&edge - m_graph.edges.data())];
                    if (const PathLatency link = m_steps.ofLink(l); link.total() > own.total()) own = link;
                }
        }
        return ofEdge;
    }

    const Fabric& m_fabric;
    const SwitchGraph& m_graph;
    const Steps& m_steps;
    const std::vector<bool>& m_isUsed;        // by link: it carries traffic between HB domains
    std::vector<std::vector<Climb>> m_climbs; // by node
};

std::vector<bool> usedBy(const LinkLoads& loads) {
    std::vector<bool> isUsed(loads.aToB.size());
    for (std::size_t l = 0; l < isUsed.size(); ++l) isUsed[l] = loads.aToB[l] + loads.bToA[l] > 0;
    return isUsed;
}

LinkLoads loadsOf(const Fabric& fabric) { return *linkLoads(fabric, {true, {}, {}}, {}); }

constexpr double mostWork = 2e8; // about a second

} // namespace

std::optional<PathLatency> longestOneByOne(const Fabric& fabric, const Cabling& cabling) {
    const SwitchGraph graph = trafficGraphOf(fabric);
    const std::vector<bool> isUsed = usedBy(loadsOf(fabric));
    const Steps steps(fabric, cabling);
    LongestPath search(fabric, graph, steps, isUsed);
    return search.workOneByOne() > mostWork ? std::nullopt : search.oneByOne();
}

NetworkLatency latencyOf(const Fabric& fabric, const Cabling& cabling) {
    const LinkLoads loads = loadsOf(fabric);
    const std::vector<bool> isUsed = usedBy(loads);
    const Steps steps(fabric, cabling);
    for (const LinkId l : indices<LinkId>(isUsed.size())) {
        if (!isUsed[l] || !fabric.isNetworkLink(l)) continue;
        const DeviceId device = fabric.links.b[l];
        if (fabric.devices.isNic(device) || steps.ofSwitch(device)) continue;
        const Part* part = fabric.partOf(device);
        return {{},
                {},
                part ? fmt::format("the latency of {} is not published", part->name)
                     : fmt::format("{} has no part from the catalogue", fabric.devicePath(device))};
    }
    NetworkLatency latency;
    latency.unreachablePairs = loads.unreachablePairs;
    latency.mean = meanOf(fabric, loads, steps);
    if (!latency.mean) return {{}, {}, "no two GPUs of different HB domains have a network path"};
    const SwitchGraph graph = trafficGraphOf(fabric);
    LongestPath search(fabric, graph, steps, isUsed);
    if (search.isByTiers())
        latency.longest = search.byTiers();
    else if (search.workOneByOne() <= mostWork)
        latency.longest = search.oneByOne();
    else
        latency.why = "after these failures the longest path of a fabric of this size takes too long to find";
    return latency;
}

} // namespace railyard
