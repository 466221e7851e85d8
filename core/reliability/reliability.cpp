#include "core/reliability/reliability.h"

#include "core/base/counted.h"
#include "core/reliability/joint_loss.h"
#include "core/reliability/reliability_parameters.h"
#include "core/reliability/renewals.h"
#include "core/training/job_request.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

namespace railyard {
namespace {

constexpr double hoursPerYear = 8760;

const Fabric& intactOf(const Fabric& fabric) { return fabric.intact ? *fabric.intact : fabric; }

std::uint64_t portKey(DeviceId device, PortId port) { return std::uint64_t{device} << 32U | std::uint64_t{port}; }

// What the failures have made the only path.
void addDegraded(const Fabric& fabric, const JobParts& degraded, const Fabric& intact, JobParts& parts) {
    for (const DeviceId d : fabric.devices.ids())
        if (degraded.devices[d] == PartUse::Interrupts) parts.devices[fabric.intactDevice[d]] = PartUse::Interrupts;
    std::unordered_map<std::uint64_t, LinkId> linkAt;
    for (const LinkId l : intact.links.ids())
        if (intact.isNetworkLink(l)) linkAt.emplace(portKey(intact.links.a[l], intact.links.aPort[l]), l);
    for (const LinkId l : fabric.links.ids()) {
        if (degraded.links[l] != PartUse::Interrupts) continue;
        const auto same = linkAt.find(portKey(fabric.intactDevice[fabric.links.a[l]], fabric.links.aPort[l]));
        if (same != linkAt.end()) parts.links[same->second] = PartUse::Interrupts;
    }
}

std::vector<ServerId> lastInTurn(const Fabric& fabric, const std::vector<ServerId>& order, const std::vector<bool>& isOfJob,
                                 std::size_t count) {
    By<ServerId, DomainId> domainOf(fabric.servers.size(), none);
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.isGpu(d) && fabric.devices.server[d] != none) domainOf[fabric.devices.server[d]] = fabric.devices.hbDomain[d];
    std::vector<std::pair<std::size_t, ServerId>> turns; // which of its domain it is, from the last
    std::map<DomainId, std::size_t> taken;
    std::size_t alone = 0;
    for (auto server = order.rbegin(); server != order.rend(); ++server) {
        if (!isOfJob[*server]) continue;
        const DomainId domain = domainOf[*server];
        turns.emplace_back(domain == none ? alone++ : taken[domain]++, *server);
    }
    std::stable_sort(turns.begin(), turns.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<ServerId> result;
    for (std::size_t i = 0; i < std::min(count, turns.size()); ++i) result.push_back(turns[i].second);
    return result;
}

std::vector<std::string> shareNotes(const ReliabilityRequest& request, std::size_t servers) {
    std::vector<std::string> notes;
    const auto note = [&](double share, const char* which) {
        const double count = share * static_cast<double>(servers);
        if (share > 0 && std::llround(count) == 0)
            notes.push_back(fmt::format("{:g} % of {} is less than half a server, so no server {}.", share * 100,
                                        counted(static_cast<std::int64_t>(servers), "{} server", "{} servers"), which));
    };
    note(request.lemonMultiple != 1 ? request.lemonShare : 0, "fails more often");
    note(request.slowRatio != 1 ? request.slowShare : 0, "is slow");
    return notes;
}

bool isOfNetwork(PartKind kind) {
    return kind == PartKind::HostLink || (kind >= PartKind::Leaf && kind <= PartKind::Link) || kind == PartKind::Ocs;
}

} // namespace

Rates ratesOf(const Design& design, const ReliabilityRequest& request) {
    Rates rates = Rates::shipped(*design.catalog);
    if (request.isSoftware)
        if (const FailureRate* software = design.catalog->rate("rel-software-llama3"))
            rates.set(PartKind::Software, {software->low, software->base, software->high, software->source});
    for (const auto& [kind, rate] : request.rates) rates.set(kind, rate);
    for (const auto& [key, rate] : request.partRates) rates.set(key.first, key.second, rate);
    return rates;
}

Result<JobPlace> jobPlaceOf(const Fabric& degraded, const ReliabilityRequest& request) {
    const Fabric& fabric = intactOf(degraded);
    JobPlace place;
    std::vector<DeviceId> all = gpusOf(fabric, request.placement, request.seed);
    const auto there = static_cast<std::int64_t>(all.size());
    if (request.jobGpus > there)
        return Error::parameter(Error::Kind::Unbuildable, "range", "job_gpus", fmt::to_string(request.jobGpus),
                                fmt::format("the design has {} GPUs", there), {fmt::to_string(there)});
    const bool isFixed = request.jobGpus > 0;
    std::vector<DeviceId> job(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(isFixed ? request.jobGpus : there));
    if (!isFixed && !request.isOnWholeDesign && fabric.design->training) {
        const auto asked = jobOf(*fabric.design);
        if (!asked) return asked.errors();
        if (auto placed = placedOn(fabric, *asked)) job = std::move(placed->gpus); // a job that cannot run is on all GPUs
    }
    std::vector<bool> isOfJob(fabric.servers.size());
    for (const DeviceId gpu : job)
        if (fabric.devices.server[gpu] != none) isOfJob[fabric.devices.server[gpu]] = true;
    std::vector<ServerId> order; // as they are taken
    std::vector<bool> isListed(fabric.servers.size());
    for (const DeviceId gpu : all)
        if (const ServerId server = fabric.devices.server[gpu]; server != none && !isListed[server])
            isListed[server] = true, order.push_back(server);
    std::vector<ServerId> free;
    for (const ServerId server : order)
        if (!isOfJob[server]) free.push_back(server);
    const auto most = static_cast<std::int64_t>(isFixed ? free.size() : std::max<std::size_t>(order.size(), 1) - 1);
    if (request.standbys > most)
        return Error::parameter(
            Error::Kind::Unbuildable, "range", "standbys", fmt::to_string(request.standbys),
            isFixed ? fmt::format("with a job of {} GPUs, {} of {} servers are free", request.jobGpus, free.size(), order.size())
                    : fmt::format("the design has {} servers, and the job needs at least one", order.size()),
            {fmt::to_string(most)});
    // The last ones stand by; the job is the rest. Where several servers share an HB domain they are taken from all of these in turn,
    // because a server replaces another one of its own HB domain.
    const auto missing = static_cast<std::size_t>(std::max<std::int64_t>(0, request.standbys - static_cast<std::int64_t>(free.size())));
    for (const ServerId server : lastInTurn(fabric, order, isOfJob, missing)) isOfJob[server] = false, free.push_back(server);
    free.resize(static_cast<std::size_t>(request.standbys));
    std::erase_if(job, [&](DeviceId gpu) { return fabric.devices.server[gpu] != none && !isOfJob[fabric.devices.server[gpu]]; });
    place.gpus = std::move(job);
    place.standbys = std::move(free);
    return place;
}

JobParts jobPartsOf(const Fabric& fabric, const JobPlace& place, FailurePolicy policy) {
    const Fabric& intact = intactOf(fabric);
    JobParts parts = jobPartsOf(intact, place.gpus, policy);
    if (!fabric.intact) return parts;
    addFailed(fabric, intact, policy, parts);
    addDegraded(fabric, remainingPartsOf(fabric, place, policy), intact, parts);
    return parts;
}

JobParts remainingPartsOf(const Fabric& fabric, const JobPlace& place, FailurePolicy policy) {
    if (!fabric.intact) return jobPartsOf(fabric, place.gpus, policy);
    std::vector<bool> isOfJob(fabric.intact->devices.size());
    for (const DeviceId gpu : place.gpus) isOfJob[gpu] = true;
    std::vector<DeviceId> left;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.isGpu(d) && isOfJob[fabric.intactDevice[d]]) left.push_back(d);
    return jobPartsOf(fabric, std::move(left), policy);
}

Reliability reliabilityOf(const Fabric& fabric, const JobParts& parts, const ReliabilityRequest& request, const Cabling* cabling) {
    const Fabric& intact = intactOf(fabric);
    Reliability result;
    result.horizonHours = request.horizon.value() / 3600;
    result.jobGpus = static_cast<std::int64_t>(parts.gpus.size());
    result.notes = shareNotes(request, parts.servers.size());
    const Rates rates = ratesOf(*intact.design, request);
    result.components = componentsOf(intact, parts, rates, request.policy, request.isStalled(), cabling);
    // Where the library gives up before traffic is rerouted, so does it at every flap.
    if (request.isStalled() && request.flapsPerLink > 0)
        for (const PartKind kind : {PartKind::HostLink, PartKind::Link}) {
            std::int64_t links = 0;
            for (const FailureComponent& row : result.components)
                if (row.kind == kind) links += row.count;
            const YearlyRate rate{request.flapsPerLink, request.flapsPerLink, request.flapsPerLink, {}};
            if (links > 0) result.components.push_back({kind, {}, links, true, rate, "a flap, and rerouting exceeds the library time-out"});
        }
    const FailuresInHorizon failures(request, parts.servers.size());
    bool isAnyKnown = false;
    double hazard = 0, hazardLow = 0, hazardHigh = 0, dividing = 0; // exp(-hazard): the probability that nothing of it fails
    for (FailureComponent& row : result.components) {
        const YearlyRate single = row.rate.times(request.earlyLife);
        row.rate = failures.mean(row.kind, single);
        if (single.base) row.hazard = failures.of(row.kind, *single.base).hazard;
        if (!row.interruptsJob) continue;
        isAnyKnown = isAnyKnown || row.rate.base;
        const auto count = static_cast<double>(row.count);
        result.lowPerYear += count * row.rate.lowElseBase();
        result.perYear += count * row.rate.base.value_or(0);
        result.highPerYear += count * row.rate.highElseBase();
        hazardLow += count * failures.of(row.kind, single.lowElseBase()).hazard;
        const double own = count * row.hazard.value_or(0);
        hazard += own;
        if (isOfNetwork(row.kind) && !request.isStalled()) dividing += own;
        hazardHigh += count * failures.of(row.kind, single.highElseBase()).hazard;
        const std::string name(toText(row.kind));
        if (!row.rate.base && std::find(result.missingRates.begin(), result.missingRates.end(), name) == result.missingRates.end())
            result.missingRates.push_back(name);
    }
    const auto probabilityOf = [](double of) { return -std::expm1(-of); };
    const auto meanOf = [](double perYear) { return perYear > 0 ? std::optional(hoursPerYear / perYear) : std::nullopt; };
    if (request.isStalled()) // whatever the library waits for: what the parts divide or cut off
        for (const FailureComponent& row : componentsOf(intact, parts, rates, request.policy, false, nullptr))
            if (row.interruptsJob && isOfNetwork(row.kind))
                dividing += static_cast<double>(row.count) * failures.of(row.kind, row.rate.base.value_or(0) * request.earlyLife).hazard;
    result.partitionProbability = probabilityOf(dividing);
    result.meanTimeHours = meanOf(result.perYear);
    result.meanTimeLowHours = meanOf(result.highPerYear);
    result.meanTimeHighHours = meanOf(result.lowPerYear);
    result.isKnown = isAnyKnown || result.missingRates.empty();
    if (result.jobGpus > 0) {
        if (result.isKnown) result.probability = probabilityOf(hazard);
        result.probabilityLow = probabilityOf(hazardLow);
        result.probabilityHigh = probabilityOf(hazardHigh);
    }
    if (result.meanTimeHours) result.checkpoint = checkpointPlan(request.checkpoint, Seconds(*result.meanTimeHours * 3600));
    return result;
}

Reliability usualReliability(const Fabric& fabric) {
    const Fabric& intact = intactOf(fabric);
    ReliabilityRequest request = reliabilityOfDesign(*intact.design);
    request.horizon = ReliabilityRequest().horizon;
    JobPlace place{gpusOf(intact, Placement::Packed, 1), {}};
    return reliabilityOf(fabric, jobPartsOf(fabric, place, request.policy), request);
}

} // namespace railyard
