// What the fabric offers a group: rings, direct pairs, pairs along rails, each routed once.
#include "core/collective/group_exchange.h"
#include "core/collective/group_routes.h"
#include "core/collective/hb_speeds.h"

#include "core/routing/traffic.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <unordered_map>

namespace railyard {
namespace {

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
    for (std::size_t m = 0; m < layout.nicOfGpu.size(); ++m) // of those with a NIC of their own: others may be lent any
        if (layout.nicOfGpu[m] > 0 && !layout.isOrphan[m]) nicLeast = std::min(nicLeast, layout.nicOfGpu[m]);
    if (std::isinf(nicLeast))
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
        findExchanges(fabric, graph, layout, members, links);
    }
    return group;
}

} // namespace railyard
