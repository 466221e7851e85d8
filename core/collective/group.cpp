// What the fabric offers a group: rings, direct pairs, pairs along rails, each routed once.
#include "core/collective/group_routes.h"
#include "core/collective/hb_speeds.h"

#include "core/routing/pair_loads.h"
#include "core/routing/traffic.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

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
            for (const std::uint32_t key = keys[k].first; k < keys.size() && keys[k].first == key; ++k) weight += keys[k].second;
            sum += weight;
            squares += weight * weight;
        }
        if (squares > 0) most = std::max(most, sum * sum / squares);
    }
    return most;
}

Traffic pairsTraffic(const SwitchGraph& graph, const GroupLayout& layout, bool alongRails) {
    Traffic traffic;
    for (const GroupPort& port : layout.ports)
        traffic.units.push_back({port.node, port.domain, alongRails ? port.key : layout.planes ? graph.network[port.node] : 0, port.gpus});
    return traffic;
}

void countMembers(const std::vector<GroupMember>& members, const GroupLayout& layout, GroupLinks& links) {
    links.ranks = static_cast<std::int64_t>(members.size());
    links.domains = static_cast<std::int64_t>(layout.domains.size());
    std::unordered_map<std::uint32_t, std::int64_t> sizes;
    for (const GroupMember& m : members) ++sizes[m.domain];
    const auto [smallest, largest] = std::minmax_element(sizes.begin(), sizes.end(), [](auto& a, auto& b) { return a.second < b.second; });
    links.smallest = smallest->second;
    links.ofRoot = sizes[members.front().domain];
    links.largest = largest->second;
}

void findSpeeds(const GroupLayout& layout, GroupLinks& links) {
    double nicLeast = std::numeric_limits<double>::infinity(), domainLeast = nicLeast;
    for (const double speed : layout.nicOfGpu)
        if (speed > 0) nicLeast = std::min(nicLeast, speed);
    std::unordered_map<std::uint32_t, double> ofDomain;
    for (const std::uint32_t domain : layout.domains) ofDomain[domain] = 0;
    for (const GroupPort& port : layout.ports) ofDomain[port.domain] += port.capacity;
    for (const auto& [domain, speed] : ofDomain) domainLeast = std::min(domainLeast, speed);
    links.nicOfGpu = Bandwidth(std::isinf(nicLeast) ? 0 : nicLeast);
    double nics = std::numeric_limits<double>::infinity();
    for (const double of : layout.nicsOfGpu)
        if (of > 0) nics = std::min(nics, of);
    std::unordered_map<std::uint32_t, std::unordered_map<std::uint32_t, double>> nicsOfDomain;
    for (const GroupPort& port : layout.ports) nicsOfDomain[port.domain][port.nic] = port.part;
    links.nicsOfGpu = std::isinf(nics) ? 0 : nics;
    for (const auto& [domain, of] : nicsOfDomain) {
        double count = 0;
        for (const auto& [nic, part] : of) count += part;
        links.nicsOfDomain = links.nicsOfDomain > 0 ? std::min(links.nicsOfDomain, count) : count;
    }
    links.nicOfDomain = Bandwidth(domainLeast);
}

// Whether domains differ in nothing: as many GPUs, whose NICs lead to the same networks, none of them missing. Of planes every GPU
// is in all.
bool areDomainsAlike(const SwitchGraph& graph, const GroupLayout& layout, const GroupLinks& links) {
    const std::vector<GroupPort>& ports = layout.ports;
    const std::size_t each = ports.size() / layout.domains.size();
    if (links.smallest != links.largest || each * layout.domains.size() != ports.size()) return false;
    if (std::find(layout.isOrphan.begin(), layout.isOrphan.end(), true) != layout.isOrphan.end()) return false;
    for (std::size_t p = 0; p < ports.size(); ++p) {
        const GroupPort &own = ports[p], &first = ports[p % each];
        if (own.domain != ports[p - p % each].domain || own.key != first.key || own.gpus != first.gpus || own.capacity != first.capacity ||
            graph.network[own.node] != graph.network[first.node] || (layout.planes && own.gpus != ports.front().gpus))
            return false;
    }
    return true;
}

// Domains that are alike: by their keys.
void exchangeAlike(const SwitchGraph& graph, const GroupLayout& layout, bool isForwarded, GroupLinks& links) {
    double busiest = 0; // GPUs for each bit/s of the busiest NIC port
    for (const GroupPort& port : layout.ports) busiest = std::max(busiest, port.gpus / port.capacity);
    const Traffic traffic = pairsTraffic(graph, layout, isForwarded);
    const RoutedLoad routed = routeTraffic(graph, traffic);
    GroupLinks::Exchange& exchange = isForwarded ? links.forwarded : links.direct;
    exchange.isPossible = routed.connected && (!isForwarded || links.ring.speed.value() > 0);
    exchange.switchLoad = routed.worst * pairsBehindAKey(traffic);
    exchange.bottleneck = routed.bottleneck;
    // Forwarded, a NIC carries what all GPUs of its domain send to the GPUs behind the same NIC elsewhere: as much.
    exchange.nicLoad = static_cast<double>(links.ranks - links.smallest) * busiest;
}

// Any others: port by port. `sizes` are those of its domains.
void exchangeByPorts(const SwitchGraph& graph, const GpuPorts& ports, const std::vector<double>& sizes, bool isForwarded,
                     GroupLinks& links) {
    const PairLoads loads = loadsOfPairs(graph, ports, isForwarded, Division::PerLink);
    double outside = static_cast<double>(links.ranks) * static_cast<double>(links.ranks);
    for (const double gpus : sizes) outside -= gpus * gpus;
    GroupLinks::Exchange& exchange = isForwarded ? links.forwarded : links.direct;
    exchange.isPossible = !loads.tornApart && loads.served > outside - 0.5;
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

void findExchanges(const Fabric& fabric, const SwitchGraph& graph, const GroupLayout& layout, const std::vector<std::uint32_t>& gpus,
                   GroupLinks& links) {
    const bool hasNics = links.nicOfDomain.value() > 0, isAlike = areDomainsAlike(graph, layout, links);
    std::vector<double> sizes(fabric.hbDomains.size() + 1); // the last of GPUs in no domain
    for (const std::uint32_t gpu : gpus) sizes[std::min<std::size_t>(fabric.devices.hbDomain[gpu], sizes.size() - 1)] += 1;
    const GpuPorts ports = isAlike || !hasNics ? GpuPorts() : portsOfGroup(fabric, graph, gpus);
    for (const bool isForwarded : {false, true}) {
        if (!hasNics) continue;
        isAlike ? exchangeAlike(graph, layout, isForwarded, links) : exchangeByPorts(graph, ports, sizes, isForwarded, links);
    }
    links.direct.whyNot = !hasNics             ? "an HB domain has no working NIC"
                          : graph.networks > 1 ? "no switch path joins some pairs of GPUs: the rails are separate, traffic has to be "
                                                 "forwarded (pxn)"
                                               : "no way leads up and down between some switches";
    const bool hbForwards = links.largest == 1 || links.hb.exchange.value() > 0;
    links.forwarded.isPossible = links.forwarded.isPossible && hbForwards;
    links.forwarded.whyNot = !hasNics      ? "an HB domain has no working NIC"
                             : !hbForwards ? "the GPUs of a domain share no HB fabric"
                                           : "a rail is torn apart";
}

void findRoutes(const GroupRoutes& routes, bool isEven, GroupLinks& links) {
    links.ring = routes.ring().slowest();
    links.tree = routes.trees().slowest();
    links.next = routes.next(false);
    links.nextForwarded = routes.next(true);
    GroupLinks::Root& root = links.root;
    root.nicOfGpu = routes.nicOfRoot();
    root.nicOfDomain = routes.nicOfRootDomain();
    root.nicsOfGpu = routes.nicsOfRoot();
    root.nicsOfDomain = routes.nicsOfRootDomain();
    root.fromDirect = routes.root(false, false);
    root.fromForwarded = routes.root(true, false);
    root.toDirect = isEven ? root.fromDirect : routes.root(false, true); // even fabrics carry as much either way
    root.toForwarded = isEven ? root.fromForwarded : routes.root(true, true);
}

// The library of the vendor of all these GPUs; of several generations the slowest counts.
void findLibrary(const Fabric& fabric, const std::vector<std::uint32_t>& gpus, const Calibration& calibration, GroupLinks& links) {
    links.whyNotNvls = "the library of these GPUs publishes no constants for it";
    std::set<std::uint32_t> parts;
    for (const std::uint32_t gpu : gpus) parts.insert(fabric.devices.part[gpu]);
    bool allReduce = true;
    for (const std::uint32_t index : parts) {
        const std::string id = index == none ? std::string() : fabric.partIds[index];
        const Part* part = fabric.design->catalog->find(id);
        const auto library = calibration.libraryOf(part ? part->vendor : std::string());
        if (!library || (links.library && links.library != library)) return links.library.reset(), links.nvlsShare.reset();
        const GpuGeneration& generation = library->generationOf(id);
        if (!links.library || generation.hbShare.base < links.hbShare.base) links.hbShare = generation.hbShare;
        links.llMost = links.library ? std::min(links.llMost, generation.llMost) : generation.llMost;
        links.library = library;
        allReduce = allReduce && generation.nvlsShare;
        if (generation.nvlsShare && (!links.nvlsShare || generation.nvlsShare->base < links.nvlsShare->base))
            links.nvlsShare = generation.nvlsShare;
    }
    std::vector<bool> meets(fabric.devices.size()), isCabled(fabric.devices.size()); // HB switches; GPUs
    for (std::size_t l = 0; l < fabric.links.size(); ++l) {
        if (fabric.links.tier[l] != LinkTier::Hb) continue;
        if (fabric.devices.kind[fabric.links.b[l]] == DeviceKind::HbSwitch)
            meets[fabric.links.a[l]] = true;
        else
            isCabled[fabric.links.a[l]] = isCabled[fabric.links.b[l]] = true;
    }
    const bool allSwitched = std::all_of(gpus.begin(), gpus.end(), [&](std::uint32_t gpu) { return meets[gpu] && !isCabled[gpu]; });
    if (allReduce && allSwitched && links.smallest > 1) return;
    links.nvlsShare.reset();
    links.whyNotNvls = !allReduce           ? "the HB switches of these GPUs do not reduce, or nobody says so"
                       : links.smallest < 2 ? "a GPU is alone in its HB domain"
                                            : "no HB switches join the GPUs of a domain";
}

} // namespace

std::vector<std::uint32_t> gpusInOrder(const Fabric& fabric, RankOrder order) {
    std::vector<std::uint32_t> gpus;
    for (const GroupMember& member : membersOf(fabric, order)) gpus.push_back(member.gpu);
    return gpus;
}

Result<CollectiveGroup> CollectiveGroup::of(const Fabric& fabric, std::int64_t ranks, RankOrder order, const Calibration& calibration) {
    std::vector<std::uint32_t> chosen = gpusInOrder(fabric, order);
    const auto gpus = static_cast<std::int64_t>(chosen.size());
    if (gpus == 0) return Error::unbuildable("the design has no GPUs; add servers first");
    if (ranks > gpus) return Error::usage(fmt::format("--ranks {}: the design has {} GPUs; that is the most", ranks, gpus));
    if (ranks > 0) chosen.resize(static_cast<std::size_t>(ranks));
    return of(fabric, chosen, calibration);
}

Result<CollectiveGroup> CollectiveGroup::of(const Fabric& fabric, const std::vector<std::uint32_t>& gpus, const Calibration& calibration) {
    if (gpus.empty()) return Error::usage("a collective needs at least one GPU; the group is empty");
    std::vector<GroupMember> members;
    for (const std::uint32_t gpu : gpus) members.push_back({gpu, fabric.devices.hbDomain[gpu]});
    const SwitchGraph graph = switchGraphOf(fabric);
    const GroupLayout layout = layOut(fabric, graph, members);
    CollectiveGroup group;
    GroupLinks& links = group.m_links;
    countMembers(members, layout, links);
    findLibrary(fabric, gpus, calibration, links);
    if (calibration.transport == Transport::Tcp) links.tcp = calibration.tcp;
    findSpeeds(layout, links);
    links.hb = hbBandwidthsOf(fabric, graph, gpus);
    if (links.domains > 1) {
        findRoutes(GroupRoutes(fabric, graph, layout, members), leadsUpEvenly(graph), links);
        findExchanges(fabric, graph, layout, gpus, links);
    }
    return group;
}

} // namespace railyard
