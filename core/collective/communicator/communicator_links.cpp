// What the fabric offers a group: rings, direct pairs, pairs along rails, each routed once.
#include "core/collective/communicator/communicator_links.h"

#include "core/collective/communicator/asked_routes.h"
#include "core/collective/communicator/communicator_routes.h"
#include "core/collective/communicator/hb_speeds.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/without.h"
#include "core/routing/gpus/gpu_ports.h"
#include "core/routing/switches/ecmp.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace railyard {
namespace {

void countMembers(const std::vector<CommunicatorMember>& members, const CommunicatorLayout& layout, CommunicatorLinks& links) {
    links.ranks = static_cast<std::int64_t>(members.size());
    links.domains = static_cast<std::int64_t>(layout.domains.size());
    std::unordered_map<std::uint32_t, std::int64_t> sizes;
    for (const CommunicatorMember& m : members) ++sizes[m.domain];
    const auto [smallest, largest] = std::minmax_element(sizes.begin(), sizes.end(), [](auto& a, auto& b) { return a.second < b.second; });
    links.smallest = smallest->second;
    links.ofRoot = sizes[members.front().domain];
    links.largest = largest->second;
    links.borrowers = layout.borrowers;
}

void findSpeeds(const CommunicatorLayout& layout, CommunicatorLinks& links) {
    double nicLeast = std::numeric_limits<double>::infinity(), domainLeast = nicLeast;
    for (std::size_t m = 0; m < layout.nicOfGpu.size(); ++m) // of those with a NIC of their own: others may be lent any
        if (layout.nicOfGpu[m] > 0 && !layout.isOrphan[m]) nicLeast = std::min(nicLeast, layout.nicOfGpu[m]);
    if (std::isinf(nicLeast))
        for (const double speed : layout.nicOfGpu)
            if (speed > 0) nicLeast = std::min(nicLeast, speed);
    links.nicOfGpu = Bandwidth(std::isinf(nicLeast) ? 0 : nicLeast);
    double nics = std::numeric_limits<double>::infinity();
    for (const double of : layout.nicsOfGpu)
        if (of > 0) nics = std::min(nics, of);
    links.nicsOfGpu = std::isinf(nics) ? 0 : nics;
    std::vector<std::pair<std::uint32_t, double>> ofDomain; // NICs and their parts
    std::size_t domains = 0;
    for (std::size_t first = 0, end = 0; first < layout.ports.size(); first = end, ++domains) {
        double speed = 0, count = 0;
        ofDomain.clear();
        for (; end < layout.ports.size() && layout.ports[end].domain == layout.ports[first].domain; ++end) {
            speed += layout.ports[end].capacity;
            ofDomain.emplace_back(layout.ports[end].nic, layout.ports[end].part);
        }
        std::sort(ofDomain.begin(), ofDomain.end());
        for (std::size_t i = 0; i < ofDomain.size(); ++i) // a NIC of several ports once
            if (i == 0 || ofDomain[i].first != ofDomain[i - 1].first) count += ofDomain[i].second;
        domainLeast = std::min(domainLeast, speed);
        links.nicsOfDomain = links.nicsOfDomain > 0 ? std::min(links.nicsOfDomain, count) : count;
    }
    if (domains < layout.domains.size()) domainLeast = 0; // one has no port
    links.nicOfDomain = Bandwidth(domainLeast);
}

// What can leave or enter the GPUs of every HB domain, and of the GPU that has least.
void findCapacities(const Fabric& fabric, const FabricIndex& index, const std::vector<CommunicatorMember>& members,
                    const CommunicatorLayout& layout, CommunicatorLinks& links) {
    std::vector<CommunicatorLinks::DomainCapacity> domains(fabric.hbDomains.size() + 1); // the last: of GPUs in none
    const auto of = [&](std::uint32_t domain) -> CommunicatorLinks::DomainCapacity& {
        return domains[std::min<std::size_t>(domain, fabric.hbDomains.size())];
    };
    for (const CommunicatorMember& member : members) ++of(member.domain).gpus;
    std::vector<bool> borrows(domains.size());
    for (const std::uint32_t domain : layout.borrowers) borrows[domain] = true;
    const auto hbOf = [&](const CommunicatorMember& member) { return of(member.domain).gpus > 1 ? index.hb[member.gpu] : 0.0; };
    std::vector<double> nics(fabric.devices.size()); // by NIC, then by the member that feeds it
    for (const CommunicatorPort& port : layout.ports) {
        of(port.domain).nics += Bandwidth(port.capacity);
        nics[port.nic] += port.capacity / port.part; // a GPU may have its own NIC whole
    }
    for (const CommunicatorMember& member : members)
        for (const DeviceId nic : index.nicsOfGpu.list(member.gpu)) nics[member.gpu] += nics[nic];
    double least = std::numeric_limits<double>::infinity();
    for (const CommunicatorMember& member : members) {
        of(member.domain).hb += Bandwidth(hbOf(member));
        // What is lent to a domain may all serve one of its ranks.
        const double ofNics = member.domain != none && borrows[member.domain] ? of(member.domain).nics.value() : nics[member.gpu];
        if (const double own = hbOf(member) + ofNics; own > 0) least = std::min(least, own); // else others lend it theirs
    }
    links.leastGpu = Bandwidth(std::isinf(least) ? 0 : least);
    links.root.hb = Bandwidth(hbOf(members.front()));
    std::map<CommunicatorLinks::DomainCapacity, std::int64_t> byCapacity;
    for (const auto& capacity : domains)
        if (capacity.gpus > 0) ++byCapacity[capacity];
    for (const auto& [capacity, count] : byCapacity) {
        links.domainCapacities.push_back(capacity);
        links.domainCapacities.back().count = count;
    }
}

constexpr std::uint32_t severalRails = none - 1; // of a GPU

// By member: the rail of its NICs, `none` without one, `severalRails` if they are on more than one.
std::vector<std::uint32_t> railsOf(const Fabric& fabric, const FabricIndex& index, const std::vector<CommunicatorMember>& members,
                                   const CommunicatorLayout& layout) {
    std::vector<std::uint32_t> railOfNic(fabric.devices.size(), none), railOf(members.size(), none);
    for (const CommunicatorPort& port : layout.ports) railOfNic[port.nic] = railOfPort(fabric, port.nic, port.key);
    for (std::size_t m = 0; m < members.size(); ++m)
        for (const DeviceId nic : index.nicsOfGpu.list(members[m].gpu))
            if (const auto rail = railOfNic[nic]; rail != none) railOf[m] = railOf[m] == none || railOf[m] == rail ? rail : severalRails;
    return railOf;
}

// For every GPU the members of its domain whose NICs are on another rail, including all others for a GPU without a NIC; the maximum.
// A GPU on several rails has a NIC on the rail of every other.
std::int64_t gpusOffRail(const Fabric& fabric, const FabricIndex& index, const std::vector<CommunicatorMember>& members,
                         const CommunicatorLayout& layout) {
    const std::vector<std::uint32_t> railOf = railsOf(fabric, index, members, layout);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places; // domain and rail of every member
    places.reserve(members.size());
    for (std::size_t m = 0; m < members.size(); ++m) places.emplace_back(members[m].domain, railOf[m]);
    std::sort(places.begin(), places.end());
    std::int64_t most = 0;
    for (std::size_t from = 0, to; from < places.size(); from = to) {
        for (to = from; to < places.size() && places[to].first == places[from].first;) ++to;
        std::int64_t fewest = std::numeric_limits<std::int64_t>::max(), several = 0; // on one rail with a GPU, itself included
        for (std::size_t i = from, next; i < to; i = next) {
            for (next = i; next < to && places[next].second == places[i].second;) ++next;
            const auto count = static_cast<std::int64_t>(next - i);
            if (places[i].second == severalRails)
                several = count;
            else
                fewest = std::min(fewest, places[i].second == none ? 1 : count);
        }
        const auto all = static_cast<std::int64_t>(to - from);
        if (fewest <= all) most = std::max(most, all - std::min(all, fewest == 1 && several == 0 ? 1 : fewest + several));
    }
    return most;
}

// The ways of these members: those of another group, if they are the same.
std::shared_ptr<const GroupRoutes> routesOf(const Fabric& fabric, const std::shared_ptr<const SwitchGraph>& graph,
                                            CommunicatorLayout layout, const std::vector<CommunicatorMember>& members,
                                            const KnownOfFabric& known) {
    if (known.routes)
        for (const auto& each : *known.routes)
            if (each->areThoseOf(*graph, layout, members)) return each;
    auto routes = std::make_shared<const GroupRoutes>(fabric, graph, std::move(layout), members,
                                                      known.router ? known.router : std::make_shared<const TrafficRouter>(*graph));
    if (known.routes) known.routes->push_back(routes);
    return routes;
}

void findRoutes(const GroupRoutes& routes, CommunicatorLinks& links) {
    links.ring = routes.ring();
    CommunicatorLinks::Root& root = links.root;
    root.nicOfGpu = routes.routes().nicOfRoot();
    root.nicOfDomain = routes.routes().nicOfRootDomain();
    root.nicsOfGpu = routes.routes().nicsOfRoot();
    root.nicsOfDomain = routes.routes().nicsOfRootDomain();
}

// Why HB switches cannot reduce for these GPUs, whose NVSwitches could; empty where they can.
std::string whyNotNvls(const Fabric& fabric, const FabricIndex& index, const std::vector<DeviceId>& gpus, const CommunicatorLinks& links) {
    if (links.smallest < 2) return "an HB domain contains only one of these GPUs";
    // NVSwitches are reached by NVLink: HB links that carry less than the GPU's NVLinks are something else, such as PCIe.
    constexpr double rounding = 1e-6;
    std::uint32_t seen = none; // the part of the GPU before, as a rule of this one too
    const GpuPart* detail = nullptr;
    for (const DeviceId gpu : gpus) {
        if (!index.meetsHbSwitch[gpu] || index.meetsGpu[gpu]) return "the GPUs of an HB domain are not connected by HB switches";
        if (std::exchange(seen, fabric.devices.part[gpu]) != fabric.devices.part[gpu]) {
            const Part* part = fabric.design->catalog->find(fabric.partIds[seen]); // of a known library
            detail = part ? part->as<GpuPart>() : nullptr;
        }
        if (detail && index.hb[gpu] < detail->hbBandwidth.value() * (1 - rounding))
            return fmt::format("the HB links of {} have {:g} Gb/s, less than the {:g} Gb/s of its NVLinks", fabric.devicePath(gpu),
                               index.hb[gpu] / 1e9, inGbps(detail->hbBandwidth));
    }
    return {};
}

// The library of the vendor of all these GPUs; of several generations the slowest counts.
void findLibrary(const Fabric& fabric, const FabricIndex& index, const std::vector<DeviceId>& gpus, const Calibration& calibration,
                 CommunicatorLinks& links) {
    links.whyNotNvls = "the library of these GPUs publishes no constants for NVLS";
    std::set<std::uint32_t> parts;
    for (const DeviceId gpu : gpus) parts.insert(fabric.devices.part[gpu]);
    bool allReduce = true;
    for (const auto number : parts) {
        const std::string id = number == none ? std::string() : fabric.partIds[number];
        const Part* part = fabric.design->catalog->find(id);
        const auto library = calibration.libraryOf(part ? part->vendor : std::string());
        if (!library || (links.library && links.library != library))
            return links.library.reset(), links.nvlsShare.reset(), links.oneDomain.reset();
        const GpuGeneration& generation = library->generationOf(id);
        if (!links.library || generation.hbShare.base < links.hbShare.base) {
            links.hbShare = generation.hbShare;
            links.nvlsTreeMost = generation.nvlsTreeMost;
            links.channelMost = generation.channelMost;
            links.oneDomain = links.domains < 2 ? generation.oneDomain : nullptr;
        }
        links.llMost = links.library ? std::min(links.llMost, generation.llMost) : generation.llMost;
        links.library = library;
        allReduce = allReduce && generation.nvlsShare;
        if (generation.nvlsShare && (!links.nvlsShare || generation.nvlsShare->base < links.nvlsShare->base))
            links.nvlsShare = generation.nvlsShare;
    }
    if (links.nvlsShare && !allReduce) links.nvlsShare.reset();
    links.whyNotNvls =
        !allReduce ? "no in-network reduction is documented for the HB switches of these GPUs" : whyNotNvls(fabric, index, gpus, links);
    if (!links.whyNotNvls.empty()) links.nvlsShare.reset();
}

} // namespace

std::vector<DeviceId> gpusInOrder(const Fabric& fabric, RankOrder order) {
    std::vector<DeviceId> gpus;
    for (const CommunicatorMember& member : membersOf(fabric, order)) gpus.push_back(member.gpu);
    return gpus;
}

namespace {

// `own`: the fabric itself, where nothing else keeps it.
CommunicatorLinks linksOf(const Fabric& fabric, const std::vector<DeviceId>& gpus, const Calibration& calibration,
                          const KnownOfFabric& known, FabricPointer own) {
    std::vector<CommunicatorMember> members;
    for (const DeviceId gpu : gpus) members.push_back({gpu, fabric.devices.hbDomain[gpu]});
    const auto graph = known.graph ? known.graph : std::make_shared<const SwitchGraph>(trafficGraphOf(fabric));
    const auto index = known.index ? known.index : indexOf(fabric, *graph);
    CommunicatorLayout layout = layOut(fabric, *graph, *index, members);
    CommunicatorLinks links;
    countMembers(members, layout, links);
    findLibrary(fabric, *index, gpus, calibration, links);
    links.transport = calibration.transport == Transport::Rdma ? index->transport : calibration.transport;
    if (calibration.transport == Transport::Tcp) links.tcp = calibration.tcp;
    findSpeeds(layout, links);
    findCapacities(fabric, *index, members, layout, links);
    links.hb = hbBandwidthsOf(fabric, *graph, *index, gpus);
    if (links.domains > 1) {
        links.offRail = gpusOffRail(fabric, *index, members, layout);
        auto routes = routesOf(fabric, graph, std::move(layout), members, known);
        findRoutes(*routes, links);
        const auto asked = std::make_shared<AskedRoutes>(fabric, index, std::move(members), std::move(routes), links);
        if (own)
            asked->keep(std::move(own));
        else if (!known.isKept)
            asked->exchanges();
        links.asked = asked;
    }
    return links;
}

void addBalanced(const CommunicatorLinks& links, std::vector<std::shared_ptr<const CommunicatorLinks>>& alternatives) {
    if (!links.asked) return;
    CommunicatorLinks other = links;
    other.isBalanced = true;
    alternatives.push_back(std::make_shared<const CommunicatorLinks>(std::move(other)));
}

} // namespace

std::shared_ptr<const FabricIndex> indexOf(const Fabric& fabric, const SwitchGraph& graph) {
    return std::make_shared<const FabricIndex>(fabric, graph);
}

CommunicatorLinks communicatorLinksOf(const Fabric& fabric, const std::vector<DeviceId>& gpus, const Calibration& calibration,
                                      const KnownOfFabric& known) {
    return linksOf(fabric, gpus, calibration, known, nullptr);
}

bool CommunicatorLinks::isBalancedFor(CollectiveOp op) const {
    if (!isBalanced) return false;
    if (op == CollectiveOp::AllToAll) return asked->exchanges().balanced.has_value();
    // Where every GPU is alone in its domain, none forwards for the next.
    if (op == CollectiveOp::PointToPoint) return largest > 1 && asked->routes().balancedNext().has_value();
    return (op == CollectiveOp::Gather || op == CollectiveOp::Scatter) &&
           asked->routes().balancedRoot(op == CollectiveOp::Gather).has_value();
}

const CommunicatorLinks::Route& CommunicatorLinks::tree() const {
    static const Route nowhere;
    return asked ? asked->routes().tree() : nowhere;
}

const CommunicatorLinks::Route& CommunicatorLinks::next(bool isForwarded) const {
    static const Route nowhere;
    if (!asked) return nowhere;
    if (isBalanced && isForwarded)
        if (const auto& balanced = asked->routes().balancedNext()) return *balanced;
    return asked->routes().next(isForwarded);
}

const std::vector<CommunicatorLinks::Shift>& CommunicatorLinks::shifts(bool isAhead) const {
    static const std::vector<Shift> nowhere;
    return asked ? asked->routes().shifts(isAhead) : nowhere;
}

const CommunicatorLinks::Route& CommunicatorLinks::rootRoute(bool isForwarded, bool isToRoot) const {
    static const Route nowhere;
    if (!asked) return nowhere;
    if (isBalanced && isForwarded)
        if (const auto& balanced = asked->routes().balancedRoot(isToRoot)) return *balanced;
    return asked->routes().root(isForwarded, isToRoot);
}

const CommunicatorLinks::Exchange& CommunicatorLinks::exchange(bool isForwarded) const {
    static const Exchange unknown;
    if (!asked) return unknown;
    const Exchanges& all = asked->exchanges();
    return !isForwarded ? all.direct : isBalanced && all.balanced ? *all.balanced : all.forwarded;
}

double CommunicatorLinks::busiestCut() const { return asked ? asked->exchanges().busiestCut : 0; }

std::vector<std::shared_ptr<const CommunicatorLinks>> alternativesTo(const CommunicatorLinks& links, const Fabric& fabric,
                                                                     const std::vector<DeviceId>& gpus, const Calibration& calibration,
                                                                     const KnownOfFabric& known) {
    std::vector<std::shared_ptr<const CommunicatorLinks>> alternatives;
    addBalanced(links, alternatives);
    const std::vector<bool>& partial = known.index->linksOfPartialNics;
    if (links.domains < 2 || partial.empty()) return alternatives;
    const FabricPointer borrowed(FabricPointer(), &fabric); // owns nothing and is there as long as the caller says
    const FabricPointer rest = without(borrowed, {}, partial);
    const auto others = std::make_shared<const CommunicatorLinks>(
        linksOf(*rest, gpus, calibration, {.graph = nullptr, .isKept = known.isKept}, known.isKept ? rest : nullptr));
    // Leaving a NIC out is no way to those of GPUs outside the group: ranks have them only where their own do not serve.
    if (others->borrowers != links.borrowers) return alternatives;
    alternatives.push_back(others);
    addBalanced(*others, alternatives);
    return alternatives;
}

} // namespace railyard
