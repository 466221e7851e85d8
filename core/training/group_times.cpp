#include "core/training/group_times.h"

#include "core/collective/communicator/fabric_index.h"
#include "core/routing/switches/ecmp.h"
#include "core/workload/expert_dispatch.h"
#include "core/workload/expert_layout.h"
#include "core/workload/job_traffic.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace railyard {
namespace {

constexpr double mostBytes = 1e15; // so that they can be counted; latency no longer counts, and what is longer takes longer in proportion
constexpr std::size_t mostDifferentGroups = 24; // beyond that, the others are assumed to be no slower

bool contains(const std::vector<Parallel>& over, Parallel parallel) { return std::find(over.begin(), over.end(), parallel) != over.end(); }

// Numbers things in the order in which they come.
class Numbering {
public:
    std::uint32_t of(std::uint32_t wanted) {
        const std::size_t at = wanted == NoIndex::number ? 0 : std::size_t{wanted} + 1; // its place
        if (at >= m_numbers.size()) m_numbers.resize(at + 1, NoIndex::number);
        if (m_numbers[at] == NoIndex::number) {
            m_numbers[at] = static_cast<std::uint32_t>(m_seen.size());
            m_seen.push_back(at);
        }
        return m_numbers[at];
    }
    void clear() { // what comes is numbered from 0 again
        for (const std::size_t at : m_seen) m_numbers[at] = NoIndex::number;
        m_seen.clear();
    }

private:
    std::vector<std::uint32_t> m_numbers; // by place
    std::vector<std::size_t> m_seen;
};

std::vector<DeviceId> largestInDomain(const Fabric& fabric, const std::vector<DeviceId>& gpus) {
    std::map<DomainId, std::vector<DeviceId>> byDomain;
    for (const DeviceId gpu : gpus)
        if (fabric.devices.hbDomain[gpu] != none) byDomain[fabric.devices.hbDomain[gpu]].push_back(gpu);
    std::vector<DeviceId> largest;
    for (auto& [domain, members] : byDomain)
        if (members.size() > largest.size()) largest = std::move(members);
    return largest;
}

// The first rank of every group.
std::vector<std::int64_t> firstRanks(const TrainingJob& job, const std::vector<Parallel>& over) {
    std::vector<Parallel> others;
    for (const Parallel each : allParallel)
        if (!contains(over, each)) others.push_back(each);
    return groupOf(job, 0, others);
}

} // namespace

bool isAsTheRecipeSays(const Fabric& fabric) {
    const Design& design = *fabric.design;
    return !fabric.intact && design.recipe && design.overrides.empty() && design.free->devices.empty() && design.free->instances.empty() &&
           design.free->links.empty();
}

const std::vector<Parallel>& parallelsOf(RankGroup group) {
    static const std::array<std::vector<Parallel>, rankGroups> all{{{Parallel::Tensor},
                                                                    {Parallel::Context},
                                                                    {Parallel::Expert},
                                                                    {Parallel::Pipeline},
                                                                    {Parallel::Context, Parallel::Expert, Parallel::Data},
                                                                    {Parallel::Context, Parallel::Data}}};
    return all[static_cast<std::size_t>(group)];
}

std::int64_t ranksOf(const TrainingJob& job, RankGroup group) {
    if (group == RankGroup::Expert) return job.expertRanks();
    if (group == RankGroup::OfExperts) return job.expertReplicas();
    std::int64_t ranks = 1;
    for (const Parallel each : parallelsOf(group)) ranks *= job.by(each);
    return ranks;
}

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

const FabricNetwork::Found& FabricNetwork::found() const {
    return m_found.get([&] {
        Found found;
        found.graph = std::make_shared<const SwitchGraph>(trafficGraphOf(m_fabric));
        found.router = std::make_shared<const TrafficRouter>(*found.graph);
        found.index = indexOf(m_fabric, *found.graph);
        return found;
    });
}

const Contention& FabricNetwork::contention() const {
    return *m_contention.get([&] { return std::make_unique<const Contention>(m_fabric, found().graph); });
}

double FabricNetwork::nicSpeed(DeviceId gpu) const {
    const Found& known = found();
    double sum = 0;
    for (const DeviceId nic : known.index->nicsOfGpu.list(gpu))
        for (const std::uint32_t host : known.index->hostsOfNic.list(nic)) sum += known.graph->hosts[host].capacity.value();
    return sum;
}

double FabricNetwork::hbSpeed(DeviceId gpu) const { return found().index->hb[gpu]; }

PlacedGroups::PlacedGroups(const Fabric& fabric, const std::vector<DeviceId>& gpus, const std::vector<NcclTest>& measured)
    : PlacedGroups(fabric, gpus, measured, std::make_shared<const FabricNetwork>(fabric), false) {}

PlacedGroups::PlacedGroups(const Fabric& fabric, const std::vector<DeviceId>& gpus, const std::vector<NcclTest>& measured,
                           std::shared_ptr<const FabricNetwork> network, bool keepsShares)
    : m_fabric(fabric),
      m_gpus(gpus),
      m_network(std::move(network)),
      m_keepsShares(keepsShares),
      m_measured(fabric, gpus, measured) {}

const std::vector<PlacedGroups::Place>& PlacedGroups::places() const {
    return m_places.get([&] {
        const bool areRailsEqual = isAsTheRecipeSays(m_fabric);
        const auto mbits = [](double speed) { return static_cast<std::uint32_t>(std::min(std::round(speed / 1e6), 4e9)); };
        std::map<std::uint32_t, std::uint32_t> sus; // what leaves have in common: members of one SU may be nearer to each other
        std::vector<Place> places;
        places.reserve(m_gpus.size());
        for (const DeviceId gpu : m_gpus) {
            const auto domain = m_fabric.devices.hbDomain[gpu];
            places.push_back({domain == none ? NoIndex::number : std::uint32_t{domain},
                              sus.emplace(m_fabric.devices.su[gpu], static_cast<std::uint32_t>(sus.size())).first->second,
                              areRailsEqual ? 0 : std::uint32_t{m_fabric.devices.rail[gpu]}, mbits(m_network->nicSpeed(gpu)),
                              mbits(m_network->hbSpeed(gpu))});
        }
        return places;
    });
}

PlacedGroups::Groups& PlacedGroups::groupsOf(const TrainingJob& asked, RankGroup group) {
    std::optional<TrainingJob> layout;
    if (asked.isExpertFolded() && (group == RankGroup::Expert || group == RankGroup::OfExperts)) layout = asked.expertLayout();
    const TrainingJob& job = layout ? *layout : asked;
    Shape shape{job.gpus()};
    std::int64_t stride = 1;
    for (const Parallel each : job.rankOrder) {
        const std::int64_t size = job.by(each);
        if (size > 1 && contains(parallelsOf(group), each)) {
            if (shape.size() > 1 && shape[shape.size() - 2] * shape.back() == stride)
                shape.back() *= size; // goes on where the last one ends
            else
                shape.insert(shape.end(), {stride, size});
        }
        stride *= size;
    }
    const Pattern pattern = group == RankGroup::Expert ? Pattern::Exchange : group == RankGroup::Pipeline ? Pattern::Chain : Pattern::Ring;
    Groups* found = nullptr;
    {
        const std::lock_guard lock(m_mutex);
        auto& own = m_groups[{pattern, std::move(shape)}];
        if (!own) own = std::make_unique<Groups>();
        found = own.get();
    }
    std::call_once(found->m_isFound, [&] { find(*found, job, group); });
    return *found;
}

void PlacedGroups::find(Groups& groups, const TrainingJob& job, RankGroup kind) const {
    const std::vector<Parallel>& over = parallelsOf(kind);
    const std::vector<Place>& placeOf = places();
    Numbering domains, sus;
    // HB domains, SUs, rails and bandwidths of the members: equal for groups that take equally long.
    const auto signatureOf = [&](const std::vector<std::int64_t>& group) {
        std::vector<std::uint32_t> signature;
        signature.reserve(group.size() * 5);
        domains.clear();
        sus.clear();
        for (const std::int64_t rank : group) {
            const Place& place = placeOf[static_cast<std::size_t>(rank)];
            signature.insert(signature.end(), {domains.of(place.domain), sus.of(place.su), place.rail, place.nicMbits, place.hbMbits});
        }
        return signature;
    };
    std::set<std::vector<std::uint32_t>> seen;
    std::vector<std::uint32_t> groupOfGpu; // of those that are timed
    std::vector<std::shared_ptr<const GroupRoutes>> routes;
    KnownOfFabric known = m_network->known();
    known.routes = &routes;
    groups.m_measured = &m_measured;
    if (kind == RankGroup::Expert) groups.m_perDomain = expertsPerDomain(m_fabric, job, m_gpus);
    for (const std::int64_t first : firstRanks(job, over)) {
        if (seen.size() >= mostDifferentGroups) break;
        const std::vector<std::int64_t> group = groupOf(job, first, over);
        if (!seen.insert(signatureOf(group)).second) continue;
        std::vector<DeviceId> gpus;
        for (const std::int64_t rank : group) gpus.push_back(m_gpus[static_cast<std::size_t>(rank)]);
        auto communicator = Communicator::create(m_fabric, gpus, shippedCalibration(), known);
        if (!communicator) return void(groups.m_errors = communicator.errors());
        if (communicator->domains() > 1) {
            groupOfGpu.resize(m_fabric.devices.size(), NoIndex::number);
            for (const DeviceId gpu : gpus) groupOfGpu[gpu] = static_cast<std::uint32_t>(groups.m_different.size());
        }
        std::optional<Communicator> inDomain;
        if (kind == RankGroup::Expert && communicator->domains() > 1) {
            const std::vector<DeviceId> largest = largestInDomain(m_fabric, gpus);
            if (largest.size() > 1) {
                auto inside = Communicator::create(m_fabric, largest, shippedCalibration(), m_network->known());
                if (inside) inDomain = std::move(*inside);
            }
        }
        groups.m_different.push_back({std::move(*communicator), 0, std::move(inDomain)});
    }
    if (groupOfGpu.empty()) return;
    std::vector<GpuFlow> flows;
    if (kind == RankGroup::Expert) { // an all-to-all, whoever dispatches tokens in which way
        TrainingJob exchange = job;
        exchange.dispatch = ExpertDispatch::Expert;
        flows = groupFlows(m_fabric, exchange, m_gpus, over);
    } else {
        flows = groupFlows(m_fabric, job, m_gpus, over);
    }
    std::vector<std::uint32_t> owners;
    owners.reserve(flows.size());
    for (const GpuFlow& flow : flows) owners.push_back(groupOfGpu[flow.from]);
    const std::vector<double> nicLoads =
        m_network->contention().nicLoads(flows, owners, static_cast<std::uint32_t>(groups.m_different.size()));
    for (std::size_t g = 0; g < nicLoads.size(); ++g) groups.m_different[g].nicLoad = nicLoads[g];
    LinkShares shares = m_network->contention().sharesOf(flows, *std::max_element(nicLoads.begin(), nicLoads.end()));
    groups.m_contention = contentionOf(shares);
    if (m_keepsShares) groups.m_shares = std::move(shares);
}

// By domain between the ranks at the same place in theirs, so that tokens stay on their rail. Uneven groups send to all.
PlacedGroups::Groups& PlacedGroups::exchangedBy(const TrainingJob& job) {
    Groups& whole = groupsOf(job, RankGroup::Expert);
    return isDispatchedByDomain(job, whole.m_perDomain) ? groupsOf(expertPlaces(job, whole.m_perDomain), RankGroup::Expert) : whole;
}

LinkShares PlacedGroups::sharesOf(const TrainingJob& job) {
    LinkShares shares;
    for (std::size_t g = 0; g < rankGroups; ++g) {
        const auto group = static_cast<RankGroup>(g);
        if (ranksOf(job, group) < 2) continue;
        shares = maximumOf(shares, (group == RankGroup::Expert ? exchangedBy(job) : groupsOf(job, group)).m_shares);
    }
    return shares;
}

std::size_t PlacedGroups::keptShares() const {
    std::size_t sum = 0;
    for (const auto& [shape, groups] : m_groups) sum += groups->m_shares.size();
    return sum;
}

double PlacedGroups::contentionOf(const LinkShares& shares) const {
    return m_others.all ? m_others.all->busiestWith(shares, *m_others.own, m_others.weight) : Contention::busiestOf(shares);
}

void PlacedGroups::shareLinksWith(const Others& others) {
    m_others = others;
    for (const auto& [shape, groups] : m_groups) {
        groups->m_contention = contentionOf(groups->m_shares);
        groups->m_known.clear();
    }
}

bool PlacedGroups::Groups::leavesDomain() const {
    return std::any_of(m_different.begin(), m_different.end(), [](const Different& each) { return each.communicator.domains() > 1; });
}

std::int64_t PlacedGroups::Groups::domains() const {
    std::int64_t most = 1;
    for (const Different& each : m_different) most = std::max<std::int64_t>(most, each.communicator.domains());
    return most;
}

Result<Seconds> PlacedGroups::Groups::timeInDomain(CollectiveOp op, std::int64_t bytes) const {
    Seconds slowest;
    for (const Different& each : m_different) {
        if (!each.inDomain) continue;
        const auto result = each.inDomain->time(op, Bytes(bytes));
        if (!result) return result.errors();
        slowest = std::max(slowest, result->best.time * (m_measured ? m_measured->factor(op, false, bytes) : 1));
    }
    return slowest;
}

// With all groups at the same time, none takes less than `m_contention` times the one whose NIC load is their measure. One that has lost
// NICs may be slower than that alone.
Result<Seconds> PlacedGroups::Groups::time(CollectiveOp op, std::int64_t bytes) {
    constexpr double rounding = 1e-9;
    if (!m_errors.empty()) return m_errors;
    const std::uint64_t key = static_cast<std::uint64_t>(bytes) << 4 | static_cast<std::uint64_t>(op);
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_known.find(key); known != m_known.end()) return known->second;
    double highest = 0;
    for (const Different& each : m_different) highest = std::max(highest, each.nicLoad);
    std::vector<std::pair<Seconds, Seconds>> times; // in all, and of the bandwidth
    Seconds reference;
    for (const Different& each : m_different) {
        const auto result = each.communicator.time(op, Bytes(bytes));
        if (!result) return result.errors();
        times.emplace_back(result->best.time, result->bandwidthTime);
        const bool isReference = each.communicator.domains() > 1 && each.nicLoad >= highest * (1 - rounding);
        if (isReference && (reference <= Seconds() || result->bandwidthTime < reference)) reference = result->bandwidthTime;
    }
    Seconds slowest;
    for (std::size_t g = 0; g < times.size(); ++g) {
        const bool isOutside = m_different[g].communicator.domains() > 1;
        Seconds own = times[g].first;
        if (isOutside) own += std::max(Seconds(), reference * m_contention - times[g].second);
        if (m_measured) own = own * m_measured->factor(op, isOutside, bytes);
        slowest = std::max(slowest, own);
    }
    m_known.emplace(key, slowest);
    return slowest;
}

GroupTimes::GroupTimes(const TrainingJob& job, PlacedGroups& groups) : m_job(job), m_placed(groups) {
    for (std::size_t g = 0; g < rankGroups; ++g) m_ranks[g] = ranksOf(job, static_cast<RankGroup>(g));
}

PlacedGroups::Groups* GroupTimes::placed(RankGroup group) {
    const auto g = static_cast<std::size_t>(group);
    if (!m_groups[g] && m_ranks[g] > 1) m_groups[g] = &m_placed.groupsOf(m_job, group);
    return m_groups[g];
}

Result<Seconds> GroupTimes::time(RankGroup group, CollectiveOp op, double bytes) {
    PlacedGroups::Groups* groups = bytes < 0.5 ? nullptr : placed(group);
    return groups ? timeOf(*groups, op, bytes) : Seconds();
}

Result<Seconds> GroupTimes::timeOf(PlacedGroups::Groups& groups, CollectiveOp op, double bytes) {
    const std::int64_t size = std::llround(std::min(bytes, mostBytes));
    if (size < 1) return Seconds();
    auto time = groups.time(op, size);
    if (time && bytes > mostBytes) return *time * (bytes / mostBytes);
    return time;
}

Result<Seconds> GroupTimes::expertExchange(double tokens) {
    const TransformerModel& model = m_job.model;
    PlacedGroups::Groups* groups = model.mixture ? placed(RankGroup::Expert) : nullptr;
    if (!groups) return Seconds();
    const double values = tokens * static_cast<double>(model.hidden) / static_cast<double>(m_job.by(Parallel::Tensor));
    const std::int64_t domains = groups->domains(), perDomain = (m_job.expertRanks() + domains - 1) / domains;
    const bool isByDomain = isDispatchedByDomain(m_job, groups->perDomain());
    const auto d = static_cast<double>(domains), r = static_cast<double>(perDomain);
    const ExpertCopies copies = isByDomain ? expertCopies(*model.mixture, domains, perDomain) : ExpertCopies();
    PlacedGroups::Groups& between = m_placed.exchangedBy(m_job);
    // In an all-to-all, a rank sends this share of its buffer to others.
    const double across = isByDomain ? copies.across * d / (d - 1) : static_cast<double>(model.mixture->topK),
                 inside = isByDomain && r > 1 ? copies.inside * r / (r - 1) : 0;
    // Forwarding inside domains and the network work at the same time on different tokens, but not all of the time. Half fits DeepEP on
    // H800 (github.com/deepseek-ai/DeepEP, docs): 4.1, 6.0 and 6.9 ms for EP 16, 32 and 64.
    constexpr double unhidden = 0.5;
    Seconds both;
    for (const double bytesOfValue : {bytesToExperts(m_job.precision), activationBytes}) {
        const auto network = timeOf(between, CollectiveOp::AllToAll, values * bytesOfValue * across);
        const auto forwarded =
            groups->timeInDomain(CollectiveOp::AllToAll, std::llround(std::min(values * bytesOfValue * inside, mostBytes)));
        if (!network || !forwarded) return network ? forwarded.errors() : network.errors();
        both += std::max(*network, *forwarded) + unhidden * std::min(*network, *forwarded);
    }
    return both;
}

bool GroupTimes::leavesDomain(RankGroup group) {
    const PlacedGroups::Groups* groups = placed(group);
    return groups && groups->leavesDomain();
}

} // namespace railyard
