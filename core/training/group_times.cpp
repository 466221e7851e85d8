#include "core/training/group_times.h"

#include "core/routing/load_summary.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace railyard {
namespace {

constexpr std::size_t mostDifferentGroups = 24; // beyond that, the others are assumed to be no slower

bool contains(const std::vector<Parallel>& over, Parallel parallel) { return std::find(over.begin(), over.end(), parallel) != over.end(); }

// If it is, all rails have the same structure.
bool isAsTheRecipeSays(const Fabric& fabric) {
    const Design& design = *fabric.design;
    return !fabric.intact && design.recipe && design.overrides.empty() && design.free->devices.empty() && design.free->instances.empty() &&
           design.free->links.empty();
}

std::vector<double> bandwidthOf(const Fabric& fabric, bool ofHb) {
    std::vector<double> sum(fabric.devices.size());
    for (const LinkId l : fabric.links.ids()) {
        if (ofHb != (fabric.links.tier[l] == LinkTier::Hb) || (!ofHb && !fabric.isNetworkLink(l))) continue;
        for (const DeviceId end : {fabric.links.a[l], fabric.links.b[l]}) sum[end] += fabric.speedOf(l).value();
    }
    if (ofHb) return sum;
    for (const LinkId l : fabric.links.ids()) // of a GPU: its NICs
        if (fabric.links.tier[l] == LinkTier::Pcie) sum[fabric.links.a[l]] += sum[fabric.links.b[l]];
    return sum;
}

} // namespace

std::vector<std::int64_t> groupOf(const TrainingJob& job, std::int64_t rank, const std::vector<Parallel>& over) {
    std::vector<std::int64_t> group{rank};
    std::int64_t stride = 1;
    for (const Parallel each : job.rankOrder) {
        const std::size_t known = group.size();
        for (std::int64_t place = 1; contains(over, each) && place < job.by(each); ++place)
            for (std::size_t i = 0; i < known; ++i) group.push_back(group[i] + place * stride);
        stride *= job.by(each);
    }
    return group;
}

GroupTimes::GroupTimes(const Fabric& fabric, const PlacedJob& placed)
    : m_fabric(fabric),
      m_placed(placed),
      m_areRailsAlike(isAsTheRecipeSays(fabric)),
      m_nicBandwidth(bandwidthOf(fabric, false)),
      m_hbBandwidth(bandwidthOf(fabric, true)) {}

// The first rank of every group.
std::vector<std::int64_t> GroupTimes::firstRanks(const std::vector<Parallel>& over) const {
    std::vector<Parallel> others;
    for (const Parallel each : allParallel)
        if (!contains(over, each)) others.push_back(each);
    return groupOf(m_placed.job, 0, others);
}

// HB domains, SUs, rails and bandwidths of the members: equal for groups that take equally long.
std::vector<std::int64_t> GroupTimes::signatureOf(const std::vector<std::int64_t>& group) const {
    std::vector<std::int64_t> signature;
    std::map<std::uint32_t, std::int64_t> domains, scopes; // numbered in the order in which they come
    for (const std::int64_t rank : group) {
        const DeviceId gpu = m_placed.gpus[static_cast<std::size_t>(rank)];
        const DomainId domain = m_fabric.devices.hbDomain[gpu];
        const auto own = domains.emplace(domain, static_cast<std::int64_t>(domains.size())).first->second;
        // An SU is what leaves have in common: members of one SU may be nearer to each other than those of several.
        const auto su = scopes.emplace(m_fabric.devices.su[gpu], static_cast<std::int64_t>(scopes.size())).first->second;
        signature.insert(signature.end(), {own, su, m_areRailsAlike ? 0 : std::int64_t{m_fabric.devices.rail[gpu]},
                                           std::llround(m_nicBandwidth[gpu] / 1e6), std::llround(m_hbBandwidth[gpu] / 1e6)});
    }
    return signature;
}

Result<const JobTraffic*> GroupTimes::traffic() {
    if (m_traffic) return &*m_traffic;
    auto found = jobTrafficOf(m_fabric, m_placed.job, m_placed.gpus);
    if (!found) return found.errors();
    return &m_traffic.emplace(std::move(*found));
}

Result<double> GroupTimes::contentionOf(const std::vector<Parallel>& over) {
    const auto all = traffic();
    if (!all) return all.errors();
    const Parallel kind = contains(over, Parallel::Data) ? Parallel::Data : over.back();
    JobTraffic own;
    for (const JobFlow& flow : (*all)->flows)
        if (flow.kind == kind) own.flows.push_back(flow);
    if (own.flows.empty()) return 1.0;
    const auto loads = linkLoads(m_fabric, toGpuTraffic(own), {});
    if (!loads) return loads.errors();
    if (loads->unreachablePairs > 0) return 1.0; // the communicators say which ranks cannot reach each other
    const LoadSummary summary = summaryOf(m_fabric, *loads);
    double ofNics = 0, between = 0;
    for (std::size_t tier = 0; tier < summary.tiers.size(); ++tier) {
        if (static_cast<LinkTier>(tier) >= LinkTier::Hb) continue;
        double& most = static_cast<LinkTier>(tier) == LinkTier::HostLeaf ? ofNics : between;
        most = std::max(most, summary.tiers[tier].mostUtilisation);
    }
    return ofNics > 0 ? std::max(1.0, between / ofNics) : 1.0;
}

Result<const GroupTimes::Groups*> GroupTimes::groupsOf(const std::vector<Parallel>& over) {
    if (const auto known = m_groups.find(over); known != m_groups.end()) return &known->second;
    Groups groups;
    std::set<std::vector<std::int64_t>> seen;
    bool leavesDomain = false;
    for (const std::int64_t first : firstRanks(over)) {
        if (seen.size() >= mostDifferentGroups) break;
        const std::vector<std::int64_t> group = groupOf(m_placed.job, first, over);
        if (!seen.insert(signatureOf(group)).second) continue;
        std::vector<DeviceId> gpus;
        for (const std::int64_t rank : group) gpus.push_back(m_placed.gpus[static_cast<std::size_t>(rank)]);
        auto communicator = Communicator::of(m_fabric, gpus);
        if (!communicator) return communicator.errors();
        leavesDomain = leavesDomain || communicator->domains() > 1;
        groups.different.push_back(std::move(*communicator));
    }
    if (leavesDomain) {
        const auto contention = contentionOf(over);
        if (!contention) return contention.errors();
        groups.contention = *contention;
    }
    return &m_groups.emplace(over, std::move(groups)).first->second;
}

Result<Seconds> GroupTimes::time(const std::vector<Parallel>& over, CollectiveOp op, double bytes) {
    std::int64_t ranks = 1;
    for (const Parallel each : over) ranks *= m_placed.job.by(each);
    const std::int64_t size = std::llround(bytes);
    if (ranks < 2 || size < 1) return Seconds();
    const auto key = std::tuple(over, op, size);
    if (const auto known = m_known.find(key); known != m_known.end()) return known->second;
    const auto groups = groupsOf(over);
    if (!groups) return groups.errors();
    Seconds slowest;
    for (const Communicator& each : (*groups)->different) {
        const auto result = each.time(op, Bytes(size));
        if (!result) return result.errors();
        Seconds own = result->best.time;
        if (each.domains() > 1) own += result->bandwidthTime * ((*groups)->contention - 1);
        slowest = std::max(slowest, own);
    }
    m_known.emplace(key, slowest);
    return slowest;
}

} // namespace railyard
