#include "core/collective/communicator/communicator_exchange.h"

#include "core/base/disjoint_sets.h"
#include "core/collective/communicator/nic_balance.h"
#include "core/routing/gpus/pair_loads.h"
#include "core/routing/switches/ecmp.h"
#include "core/routing/switches/traffic.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace railyard {
namespace {

// Between two domains all x*x pairs go along the rails (or planes); the share of one of them over the product of its
// port weights.
double pairsBehindAKey(const Traffic& traffic) {
    double most = 0;
    std::vector<std::pair<std::uint32_t, double>> keys; // of one domain: weight by key
    for (std::size_t first = 0, end = 0; first < traffic.units.size(); first = end) {
        keys.clear();
        for (; end < traffic.units.size() && traffic.units[end].domain == traffic.units[first].domain; ++end)
            keys.emplace_back(traffic.units[end].key, traffic.units[end].weight);
        std::sort(keys.begin(), keys.end());
        double sum = 0, squares = 0;
        for (std::size_t k = 0; k < keys.size();) {
            double weight = 0;
            for (const auto key = keys[k].first; k < keys.size() && keys[k].first == key; ++k) weight += keys[k].second;
            sum += weight;
            squares += weight * weight;
        }
        if (squares > 0) most = std::max(most, sum * sum / squares);
    }
    return most;
}

Traffic pairsTraffic(const SwitchGraph& graph, const CommunicatorLayout& layout, bool alongRails) {
    Traffic traffic;
    for (const CommunicatorPort& port : layout.ports)
        traffic.units.push_back({port.node, port.domain, alongRails ? port.key : layout.planes ? graph.network[port.node] : 0, port.gpus});
    return traffic;
}

// Whether domains differ in nothing: as many GPUs, whose NICs lead to the same networks, none of them missing, and every port serves
// as many.
bool areDomainsEqual(const SwitchGraph& graph, const CommunicatorLayout& layout, const CommunicatorLinks& links) {
    const std::vector<CommunicatorPort>& ports = layout.ports;
    const std::size_t each = ports.size() / layout.domains.size();
    if (links.largest > 1 && links.hb.exchange.value() <= 0) return false; // some of its pairs need the network
    if (links.smallest != links.largest || each * layout.domains.size() != ports.size()) return false;
    if (std::find(layout.isOrphan.begin(), layout.isOrphan.end(), true) != layout.isOrphan.end()) return false;
    for (std::size_t p = 0; p < ports.size(); ++p) {
        const CommunicatorPort &own = ports[p], &first = ports[p % each];
        if (own.domain != ports[p - p % each].domain || own.key != first.key || own.gpus != first.gpus || own.capacity != first.capacity ||
            graph.network[own.node] != graph.network[first.node] || own.gpus != ports.front().gpus)
            return false;
    }
    return true;
}

// Domains that are alike: by their keys.
void exchangeRegular(const SwitchGraph& graph, const TrafficRouter& router, const CommunicatorLayout& layout, bool isForwarded,
                     const CommunicatorLinks& links, CommunicatorLinks::Exchange& exchange) {
    double busiest = 0; // GPUs for each bit/s of the busiest NIC port
    for (const CommunicatorPort& port : layout.ports) busiest = std::max(busiest, port.gpus / port.capacity);
    const Traffic traffic = pairsTraffic(graph, layout, isForwarded);
    const RoutedLoad routed = router.route(traffic);
    exchange.isPossible = routed.connected && (!isForwarded || links.ring.speed.value() > 0);
    exchange.switchLoad = routed.worst * pairsBehindAKey(traffic);
    exchange.bottleneck = routed.bottleneck;
    // Forwarded, a NIC carries what all GPUs of its domain send to the GPUs behind the same NIC elsewhere: as much.
    exchange.nicLoad = static_cast<double>(links.ranks - links.smallest) * busiest;
}

// Whether two members have ports to no network in common; what they send each other cannot go straight.
bool areSomeSeparate(const GpuPorts& ports) {
    constexpr std::size_t mostKinds = 64;
    std::set<std::vector<std::uint32_t>> kinds;
    for (const DeviceId gpu : ports.gpus) {
        std::vector<std::uint32_t> networks;
        for (const auto p : ports.portsOfGpu.list(gpu)) networks.push_back(ports.ports[p].network);
        std::sort(networks.begin(), networks.end());
        networks.erase(std::unique(networks.begin(), networks.end()), networks.end());
        if (kinds.size() < mostKinds) kinds.insert(std::move(networks));
    }
    for (const auto& x : kinds)
        for (const auto& y : kinds)
            if (std::find_first_of(x.begin(), x.end(), y.begin(), y.end()) == x.end()) return true;
    return false;
}

// Forwarded, every kind of HB domain (by the networks it still reaches) is looked at with every GPU.
bool isTooMuch(const GpuPorts& ports) {
    constexpr std::size_t most = 1'000'000; // half a second
    std::set<std::vector<std::uint32_t>> kinds;
    for (std::uint32_t unit = 0; unit < ports.units; ++unit) {
        std::vector<std::uint32_t> networks;
        for (const auto p : ports.portsOfUnit.list(unit)) networks.push_back(ports.ports[p].network);
        std::sort(networks.begin(), networks.end());
        kinds.insert(std::move(networks));
        if (kinds.size() * ports.gpus.size() > most && kinds.size() > 1) return true;
    }
    return false;
}

// Any others: port by port.
void exchangeByPorts(const Fabric& fabric, const SwitchGraph& graph, const GpuPorts& ports, const PairLoads& loads,
                     const CommunicatorLinks& links, CommunicatorLinks::Exchange& exchange) {
    double outside = static_cast<double>(links.ranks) * static_cast<double>(links.ranks), inUnits = 0;
    for (std::uint32_t unit = 0; unit < ports.units; ++unit) {
        const auto gpus = static_cast<double>(ports.gpusOfUnit.list(unit).size());
        outside -= gpus * gpus;
        inUnits += gpus;
    }
    outside -= static_cast<double>(links.ranks) - inUnits; // in no domain: with itself
    exchange.isPossible = !loads.disconnected && loads.served > outside - 0.5;
    if (loads.disconnected)
        exchange.whyNot = fmt::format("there is no up-down path from {} to {}", fabric.devicePath(graph.device[loads.disconnected->first]),
                                      fabric.devicePath(graph.device[loads.disconnected->second]));
    exchange.switchLoad = exchange.nicLoad = 0;
    for (std::size_t p = 0; p < ports.ports.size(); ++p)
        exchange.nicLoad = std::max(exchange.nicLoad, std::max(loads.portUp[p], loads.portDown[p]) / ports.ports[p].speed.value());
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const double load = std::max(loads.between.up[e], loads.between.down[e]) / graph.edges[e].capacity.value();
        if (load <= exchange.switchLoad * (1 + 1e-12)) continue;
        exchange.switchLoad = load;
        exchange.bottleneck = std::string(toText(graph.edges[e].tier));
    }
}

// The same where data may leave and enter a domain by any of its NICs. Nothing to find if a whole domain is as busy as its busiest NIC.
void balanceExchange(const Fabric& fabric, const SwitchGraph& graph, const TrafficRouter& router, const GpuPorts& ports,
                     const CommunicatorLinks& links, Exchanges& exchanges) {
    constexpr double rounding = 1e-12;
    double least = 0; // s for one bit per pair
    for (const CommunicatorLinks::DomainCapacity& domain : links.domainCapacities)
        if (domain.nics.value() > 0)
            least = std::max(least, static_cast<double>(domain.gpus * (links.ranks - domain.gpus)) / domain.nics.value());
    const CommunicatorLinks::Exchange& known = exchanges.forwarded;
    if (std::max(known.nicLoad, known.switchLoad) <= least * (1 + rounding)) return;
    const auto products = balancedProducts(ports);
    if (!products) return;
    CommunicatorLinks::Exchange balanced;
    exchangeByPorts(fabric, graph, ports, loadsOfProducts(graph, ports, *products, Division::PerLink, router.stages()), links, balanced);
    if (balanced.isPossible) exchanges.balanced = std::move(balanced);
}

// Members by HB domain; the last of those in none.
std::vector<double> domainSizes(const Fabric& fabric, const std::vector<CommunicatorMember>& members) {
    std::vector<double> sizes(fabric.hbDomains.size() + 1);
    for (const CommunicatorMember& member : members) sizes[std::min<std::size_t>(member.domain, sizes.size() - 1)] += 1;
    return sizes;
}

// Of sets of switches that hang together below a tier and share no HB domain with the rest: seconds for one bit a pair over all
// that leads up from them. The largest; no routing is faster.
double busiestCut(const SwitchGraph& graph, const CommunicatorLayout& layout, const std::vector<double>& sizes, double ranks) {
    const auto isPlain = [&](const SwitchGraph::Group& group) { return leadsUpInTiers(graph, group); };
    if (!std::all_of(graph.groups.begin(), graph.groups.end(), isPlain)) return 0;
    DisjointSets sets(graph.device.size());
    std::vector<std::pair<std::uint32_t, double>> domains; // a leaf of each, and its GPUs
    for (std::size_t p = 0; p < layout.ports.size(); ++p) {
        const bool isFirst = p == 0 || layout.ports[p].domain != layout.ports[p - 1].domain;
        if (isFirst) domains.emplace_back(layout.ports[p].node, sizes[layout.ports[p].domain]);
        sets.join(domains.back().first, layout.ports[p].node);
    }
    double worst = 0;
    for (const SwitchTier tier : {SwitchTier::Leaf, SwitchTier::Spine, SwitchTier::Superspine}) {
        std::vector<double> gpus(graph.device.size());
        std::vector<Bandwidth> up(gpus.size());
        for (const auto& [leaf, count] : domains) gpus[sets.find(leaf)] += count;
        for (const NodeId v : graph.nodes())
            if (graph.tier[v] == tier) up[sets.find(v)] += graph.uplink[v];
        for (std::size_t set = 0; set < gpus.size(); ++set)
            if (gpus[set] < ranks && up[set] > Bandwidth()) worst = std::max(worst, gpus[set] * (ranks - gpus[set]) / up[set].value());
        for (const SwitchGraph::Group& group : graph.groups) {
            if (graph.tier[group.lowers.front()] != tier) continue;
            for (const auto* side : {&group.lowers, &group.uppers})
                for (const auto v : *side) sets.join(group.lowers.front(), v);
        }
    }
    return worst;
}

// "su[1]/srv[3] has no working NIC that is cabled to a switch".
std::string whoHasNoNic(const Fabric& fabric, const CommunicatorLayout& layout) {
    std::vector<bool> hasPort(fabric.hbDomains.size() + 1);
    for (const CommunicatorPort& port : layout.ports) hasPort[port.domain] = true;
    std::vector<std::uint32_t> bare;
    for (const auto domain : layout.domains)
        if (domain == none || !hasPort[domain]) bare.push_back(domain);
    if (bare.empty()) return "an HB domain has no working NIC that is cabled to a switch";
    const std::string first = bare.front() == none ? "a GPU outside of all HB domains" : fabric.scopePath(fabric.hbDomains[bare.front()]);
    return fmt::format("{}{} no working NIC that is cabled to a switch", first,
                       bare.size() == 1 ? " has"
                                        : fmt::format(" and {} more HB domain{} have", bare.size() - 1, bare.size() == 2 ? "" : "s"));
}

} // namespace

Exchanges exchangesOf(const Fabric& fabric, const FabricIndex& index, const SwitchGraph& graph, const TrafficRouter& router,
                      const CommunicatorLayout& layout, const std::vector<CommunicatorMember>& members, const CommunicatorLinks& links) {
    Exchanges exchanges;
    const bool hbForwards = links.largest == 1 || links.hb.exchange.value() > 0;
    if (links.nicOfDomain.value() <= 0) {
        exchanges.direct.whyNot = exchanges.forwarded.whyNot = whoHasNoNic(fabric, layout);
        return exchanges;
    }
    exchanges.direct.whyNot =
        graph.networks > 1 ? "some pairs of GPUs have no switch path, because the rails are separate; their traffic must be forwarded (pxn)"
                           : "there is no up-down path between some switches";
    exchanges.forwarded.whyNot = "a rail is partitioned";
    const std::vector<double> sizes = domainSizes(fabric, members);
    exchanges.busiestCut = busiestCut(graph, layout, sizes, static_cast<double>(links.ranks));
    const bool isSameClass = areDomainsEqual(graph, layout, links);
    GpuPorts ports;
    for (const bool isForwarded : {false, true}) {
        CommunicatorLinks::Exchange& exchange = isForwarded ? exchanges.forwarded : exchanges.direct;
        if (isSameClass) exchangeRegular(graph, router, layout, isForwarded, links, exchange);
        if (isSameClass && (exchange.isPossible || graph.networks > 1)) continue; // else it is asked which way is missing
        if (ports.gpus.empty()) {
            std::vector<DeviceId> gpus;
            for (const CommunicatorMember& member : members) gpus.push_back(member.gpu);
            ports = portsOfCommunicator(
                fabric, graph, gpus, [&]() -> const GpuPorts& { return index.portsOfAll.get([&] { return gpuPortsOf(fabric, graph); }); });
        }
        if (!isForwarded && areSomeSeparate(ports))
            exchange.isPossible = false;
        else if (isForwarded && isTooMuch(ports))
            exchangeRegular(graph, router, layout, true, links, exchange); // a few percent off
        else
            exchangeByPorts(fabric, graph, ports, loadsOfPairs(graph, ports, isForwarded, Division::PerLink, router.stages()), links,
                            exchange);
    }
    if (hbForwards && exchanges.forwarded.isPossible && !ports.gpus.empty())
        balanceExchange(fabric, graph, router, ports, links, exchanges);
    exchanges.forwarded.isPossible = exchanges.forwarded.isPossible && hbForwards;
    if (!hbForwards) exchanges.forwarded.whyNot = "the GPUs of an HB domain have no common HB fabric";
    return exchanges;
}

} // namespace railyard
