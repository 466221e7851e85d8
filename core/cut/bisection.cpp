#include "core/cut/bisection.h"

#include "core/cut/certificate.h"
#include "core/cut/max_flow.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace railyard {
namespace {

struct Question {
    const Fabric& fabric;
    BisectionKey key;
    SwitchGraph graph;
    Endpoints ends;
};

Question ask(const Fabric& fabric, BisectionKey key) {
    Question q{fabric, key, switchGraphOf(fabric), {}};
    q.ends = endpointsOf(fabric, q.graph, key);
    return q;
}

// Nodes of a flow network: 0 and 1 are the two sides, then the switches, then what has to be spelled out.
constexpr std::uint32_t sideNode(bool a) { return a ? 0 : 1; }
constexpr std::uint32_t switchNode(std::uint32_t v) { return v + 2; }

struct Cut {
    double value = 0;
    std::vector<bool> sourceSide;    // of the flow network's nodes
    std::vector<std::uint32_t> node; // of GPUs and HB switches of divided domains; none elsewhere
};

// HB links only count where a domain is divided: one that is whole sends from each NIC what its own GPUs may send.
// Returns the number of nodes.
std::uint32_t spellOutDividedDomains(const Question& q, const std::vector<bool>& sideA, Cut& cut) {
    auto nodes = static_cast<std::uint32_t>(q.graph.device.size() + 2);
    cut.node.assign(q.fabric.devices.size(), none);
    if (q.key != BisectionKey::GpuWithHb) return nodes;
    std::vector<std::uint8_t> sides(q.fabric.hbDomains.size());
    for (std::size_t e = 0; e < q.ends.size(); ++e)
        if (const std::uint32_t domain = q.ends.hbDomain[e]; domain != none)
            sides[domain] = static_cast<std::uint8_t>(sides[domain] | (sideA[e] ? 1 : 2));
    for (std::uint32_t d = 0; d < q.fabric.devices.size(); ++d) {
        const DeviceKind kind = q.fabric.devices.kind[d];
        const std::uint32_t domain = q.fabric.devices.hbDomain[d];
        if ((kind == DeviceKind::Gpu || kind == DeviceKind::HbSwitch) && domain != none && sides[domain] == 3) cut.node[d] = nodes++;
    }
    return nodes;
}

Cut cutOf(const Question& q, const std::vector<bool>& sideA) {
    Cut cut;
    MaxFlow flow(spellOutDividedDomains(q, sideA, cut));
    const auto nodeOf = [&](std::size_t endpoint) { return q.ends.gpu.empty() ? none : cut.node[q.ends.gpu[endpoint]]; };
    for (const auto& edge : q.graph.edges) flow.addEdge(switchNode(edge.lower), switchNode(edge.upper), edge.capacity.value());
    std::vector<double> toA(q.graph.device.size()), toB(q.graph.device.size());
    for (const auto& a : q.ends.attachments) {
        if (nodeOf(a.endpoint) != none)
            flow.addEdge(nodeOf(a.endpoint), switchNode(a.node), a.capacity);
        else
            (sideA[a.endpoint] ? toA : toB)[a.node] += a.capacity;
    }
    for (std::uint32_t v = 0; v < q.graph.device.size(); ++v) {
        flow.addEdge(0, switchNode(v), toA[v]);
        flow.addEdge(1, switchNode(v), toB[v]);
    }
    if (q.key == BisectionKey::GpuWithHb) { // an endpoint sends and takes no more than its NIC ports could
        for (std::size_t e = 0; e < q.ends.size(); ++e)
            if (nodeOf(e) != none) flow.addEdge(sideNode(sideA[e]), nodeOf(e), q.ends.speed[e]);
        const LinkTable& links = q.fabric.links;
        for (std::size_t l = 0; l < links.size(); ++l)
            if (links.tier[l] == LinkTier::Hb && cut.node[links.a[l]] != none && cut.node[links.b[l]] != none)
                flow.addEdge(cut.node[links.a[l]], cut.node[links.b[l]], q.fabric.speedOf(l).value());
    }
    cut.value = flow.run(0, 1);
    cut.sourceSide = flow.sourceSide();
    return cut;
}

// Endpoints in an order; the first floor(n/2) make side A.
using Order = std::vector<std::uint32_t>;

std::vector<bool> firstHalf(const Order& order) {
    std::vector<bool> side(order.size());
    for (std::size_t i = 0; i < order.size() / 2; ++i) side[order[i]] = true;
    return side;
}

Order sortedBy(const std::vector<double>& value) {
    Order order(value.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return value[a] < value[b]; });
    return order;
}

// How much of an endpoint's speed its leaves (or, with `pods`, their pods) can carry upwards: the scarce ones together
// make the cheapest cut.
std::vector<double> scarcity(const Question& q, bool pods) {
    const SwitchGraph& graph = q.graph;
    std::vector<double> up(graph.device.size()), down(graph.device.size());
    for (const auto& edge : graph.edges) up[edge.lower] += edge.capacity.value();
    for (const auto& a : q.ends.attachments) down[a.node] += a.capacity;
    std::vector<double> groupUp(graph.groups.size()), groupDown(graph.groups.size());
    for (std::size_t v = 0; v < graph.device.size(); ++v) {
        if (graph.groupBelow[v] != none) groupUp[graph.groupBelow[v]] += up[v];
        if (graph.groupAbove[v] != none) groupDown[graph.groupAbove[v]] += down[v];
    }
    std::vector<double> value(q.ends.size());
    for (const auto& a : q.ends.attachments) {
        const std::uint32_t group = graph.groupAbove[a.node];
        if (!pods)
            value[a.endpoint] += a.capacity * up[a.node] / down[a.node];
        else if (group != none && groupDown[group] > 0)
            value[a.endpoint] += a.capacity * groupUp[group] / groupDown[group];
    }
    return value;
}

std::vector<double> homeOf(const Question& q, bool pods) {
    std::vector<double> home(q.ends.size());
    for (const auto& a : q.ends.attachments) home[a.endpoint] = pods ? q.graph.groupAbove[a.node] : a.node;
    return home;
}

std::vector<double> asNumbers(const std::vector<std::uint32_t>& values) { return {values.begin(), values.end()}; }

std::vector<Order> structuralOrders(const Question& q) {
    std::vector<Order> orders;
    const std::size_t n = q.ends.size();
    orders.push_back(sortedBy(std::vector<double>(n))); // by path
    orders.emplace_back(orders[0].rbegin(), orders[0].rend());
    for (const bool pods : {false, true}) {
        const std::vector<double> value = scarcity(q, pods), home = homeOf(q, pods);
        Order order = sortedBy(home);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return value[a] < value[b]; });
        orders.push_back(order);
        orders.push_back(sortedBy(home));
    }
    orders.push_back(sortedBy(q.ends.speed));
    if (q.key != BisectionKey::Server) orders.push_back(sortedBy(asNumbers(q.ends.rail)));
    if (q.key == BisectionKey::GpuWithHb) orders.push_back(sortedBy(asNumbers(q.ends.hbDomain)));
    std::sort(orders.begin(), orders.end());
    orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
    return orders;
}

// The first half by path is usually the witness, so that equal cuts are shown the way people read the drawing.
void takeIfBetter(const Question& q, std::vector<bool> sideA, double& best, std::vector<bool>& witness) {
    const double value = cutOf(q, sideA).value;
    if (!witness.empty() && value >= best) return;
    best = value;
    witness = std::move(sideA);
}

std::map<std::string, std::int64_t> linksOfCut(const Question& q, const std::vector<bool>& sideA) {
    const Cut cut = cutOf(q, sideA);
    std::map<std::string, std::int64_t> counts;
    for (const auto& edge : q.graph.edges)
        if (cut.sourceSide[switchNode(edge.lower)] != cut.sourceSide[switchNode(edge.upper)])
            counts[std::string(toText(edge.tier))] += edge.links;
    for (const auto& a : q.ends.attachments) {
        const std::uint32_t node = q.ends.gpu.empty() ? none : cut.node[q.ends.gpu[a.endpoint]];
        const bool own = node == none ? sideA[a.endpoint] : cut.sourceSide[node];
        // A GPU cut off from its own side counts by its NIC ports, which are what bounds it.
        if (cut.sourceSide[switchNode(a.node)] != own || own != sideA[a.endpoint]) ++counts["host-leaf"];
    }
    const LinkTable& links = q.fabric.links;
    for (std::size_t l = 0; q.key == BisectionKey::GpuWithHb && l < links.size(); ++l) {
        if (links.tier[l] != LinkTier::Hb || cut.node[links.a[l]] == none || cut.node[links.b[l]] == none) continue;
        if (cut.sourceSide[cut.node[links.a[l]]] != cut.sourceSide[cut.node[links.b[l]]]) ++counts["hb"];
    }
    return counts;
}

// The intact witness, seen by elements that survived: what failed can only make it cheaper.
std::vector<bool> carriedOver(const Question& q, const Question& intact, const std::vector<bool>& witness) {
    std::map<std::string, bool> side;
    const auto name = [](const Question& from, std::size_t e) {
        return from.key == BisectionKey::Server ? from.fabric.scopePath(from.fabric.hbDomains[from.ends.hbDomain[e]])
                                                : from.fabric.devicePath(from.ends.gpu[e]);
    };
    for (std::size_t e = 0; e < intact.ends.size(); ++e) side[name(intact, e)] = witness[e];
    std::vector<bool> result(q.ends.size());
    std::size_t onA = 0;
    for (std::size_t e = 0; e < q.ends.size(); ++e) onA += (result[e] = side[name(q, e)]) ? 1 : 0;
    for (std::size_t e = 0; e < q.ends.size() && onA > (q.ends.size() + 1) / 2; ++e)
        if (result[e]) result[e] = false, --onA;
    for (std::size_t e = 0; e < q.ends.size() && onA < q.ends.size() / 2; ++e)
        if (!result[e]) result[e] = true, ++onA;
    return result;
}

LowerBound bestLowerBound(const Question& q) {
    LowerBound hose = hoseBound(q.fabric, q.graph, q.ends, q.key);
    if (q.key == BisectionKey::GpuWithHb && wholeDomainsAreCheapest(q.fabric, q.ends)) {
        const LowerBound whole = bestLowerBound(ask(q.fabric, BisectionKey::Server));
        if (whole.value > hose.value) hose = {whole.value, whole.method + " of whole HB domains"};
    }
    const LowerBound tree = q.key == BisectionKey::GpuWithHb ? LowerBound{} : treeBound(q.graph, q.ends);
    return tree.value > hose.value ? tree : hose;
}

// All that a cut can run through. With HB links the port of a GPU bounds it twice: as link and as what it may send.
double capacityOf(const Question& q) {
    double sum = 0;
    for (std::size_t l = 0; l < q.fabric.links.size(); ++l) {
        const LinkTier tier = q.fabric.links.tier[l];
        const bool withHb = q.key == BisectionKey::GpuWithHb;
        if (q.fabric.isNetworkLink(l) || (withHb && tier == LinkTier::Hb))
            sum += q.fabric.speedOf(l).value() * (withHb && tier == LinkTier::HostLeaf ? 2 : 1);
    }
    return sum;
}

// No cut loses more than the capacity of all that failed, so the intact bound less that capacity holds.
LowerBound leftAfterFailures(const Question& q, const Question& intact, const Bisection& whole) {
    if (q.ends.size() != intact.ends.size()) return {};
    return {whole.lowerGbps * 1e9 - (capacityOf(intact) - capacityOf(q)), "intact bound less what failed"};
}

} // namespace

std::string_view toText(BisectionKey key) {
    return key == BisectionKey::Server ? "server" : key == BisectionKey::GpuNetworkOnly ? "gpu_network_only" : "gpu_with_hb";
}

Bisection bisection(const Fabric& fabric, const Fabric& intact, BisectionKey key) {
    const Question q = ask(fabric, key);
    Bisection result;
    result.sideA.assign(q.ends.size(), false);
    if (q.ends.size() < 2) {
        result.certified = true;
        result.method = "fewer than two endpoints";
        return result;
    }
    LowerBound lower = bestLowerBound(q);
    double upper = 0;
    std::vector<bool> witness;
    const auto proved = [&] { return !witness.empty() && upper <= lower.value * (1 + 1e-9); };
    double yardstick = q.ends.halfInjection();
    if (&fabric != &intact) {
        const Question before = ask(intact, key);
        yardstick = before.ends.halfInjection();
        const Bisection whole = bisection(intact, intact, key);
        takeIfBetter(q, carriedOver(q, before, whole.sideA), upper, witness);
        const LowerBound left = leftAfterFailures(q, before, whole);
        if (left.value > lower.value) lower = left;
    }
    takeIfBetter(q, firstHalf(sortedBy(std::vector<double>(q.ends.size()))), upper, witness);
    for (const Order& order : structuralOrders(q))
        if (!proved()) takeIfBetter(q, firstHalf(order), upper, witness);
    result.upperGbps = upper / 1e9;
    result.lowerGbps = std::min(lower.value, upper) / 1e9;
    result.certified = upper - lower.value <= 1e-9 * std::max(upper, 1.0);
    if (result.certified) result.lowerGbps = result.upperGbps;
    if (yardstick > 0) result.fractionOfInjection = upper / yardstick;
    result.method = lower.method + " below, structural cut above";
    if (upper == 0 && key == BisectionKey::GpuNetworkOnly) result.method += "; 0 by design: rails are separate";
    result.cutLinks = linksOfCut(q, witness);
    result.sideA = std::move(witness);
    return result;
}

} // namespace railyard
