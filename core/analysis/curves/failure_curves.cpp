#include "core/analysis/curves/failure_curves.h"

#include "core/base/random.h"
#include "core/bisection/bisection.h"
#include "core/fabric/without.h"
#include "core/training/job_request.h"
#include "core/training/training.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace railyard {
namespace {

const Fabric& intactOf(const Fabric& fabric) { return fabric.intact ? *fabric.intact : fabric; }

// The same with all rates at their low or high end.
ReliabilityRequest withEnds(const Fabric& fabric, ReliabilityRequest request, bool isHigh) {
    const Rates rates = ratesOf(*fabric.design, request);
    for (std::size_t k = 0; k < partKindNames.size(); ++k) {
        const auto kind = static_cast<PartKind>(k);
        const YearlyRate& rate = rates.of(kind);
        if (rate.low || rate.base || rate.high)
            request.rates[kind] = {{}, isHigh ? rate.highElseBase() : rate.lowElseBase(), {}, rate.source};
    }
    for (auto& [key, rate] : request.partRates) rate.base = isHigh ? rate.highElseBase() : rate.lowElseBase();
    return request;
}

MonteCarlo simulated(const Fabric& fabric, const ReliabilityRequest& request, std::int64_t trials) {
    const auto place = jobPlaceOf(fabric, request);
    if (!place || place->gpus.empty()) return {};
    const Reliability known = reliabilityOf(fabric, jobPartsOf(fabric, *place, request.policy), request);
    return simulate(operationOf(fabric, *place, request), request, known.checkpoint ? known.checkpoint->interval : Seconds(0),
                    {trials, request.seed}, {.threads = 1});
}

// 1, 2, 5, 10, 20 and so on, so that people read round numbers.
std::int64_t roundStep(double wanted) {
    std::int64_t ten = 1;
    while (static_cast<double>(ten) * 10 <= wanted) ten *= 10;
    for (const std::int64_t factor : {1, 2, 4, 5, 10})
        if (static_cast<double>(factor * ten) >= wanted) return factor * ten;
    return ten * 10;
}

std::optional<Money> costWithin(const Bill& bill, double hours) {
    const auto energy = bill.energyPerYear(), space = bill.spacePerYear();
    if (!energy || !space || bill.total.inCents() == 0) return {};
    return Money::dollars((bill.total.inDollars() / bill.site.years + *energy + *space) * hours / hoursPerYear);
}

} // namespace

namespace {

// At each number of standbys, with rates at base, low and high. False: stopped.
bool simulatePoints(const Fabric& fabric, const ReliabilityRequest& request, std::int64_t trials, const std::optional<Money>& cost,
                    std::vector<StandbyPoint>& points, const TaskContext& context) {
    const auto servers = static_cast<double>(intactOf(fabric).servers.size());
    const auto found = runTasks<MonteCarlo>(points.size() * 3, context, [&](std::size_t i) {
        ReliabilityRequest own = request;
        own.jobGpus = 0;
        own.isOnWholeDesign = true;
        own.standbys = points[i / 3].standbys;
        if (i % 3 > 0) own = withEnds(fabric, own, i % 3 == 2);
        return simulated(fabric, own, trials);
    });
    for (std::size_t p = 0; p < points.size(); ++p) {
        StandbyPoint& point = points[p];
        if (!found[p * 3] || !found[p * 3 + 1] || !found[p * 3 + 2]) return false;
        const double inJob = (servers - static_cast<double>(point.standbys)) / servers;
        const MonteCarlo& base = *found[p * 3];
        point.trains = base.ettr.mean * inJob;
        point.waits = base.waiting.mean * inJob;
        point.overhead = std::max(0.0, base.overhead.mean) * inJob;
        point.idle = 1 - inJob;
        point.trainsHigh = found[p * 3 + 1]->ettr.mean * inJob;
        point.trainsLow = found[p * 3 + 2]->ettr.mean * inJob;
        if (cost) point.lost = Money::dollars(cost->inDollars() * (1 - point.trains));
    }
    return true;
}

} // namespace

StandbyCurve standbyCurve(const Fabric& fabric, const Bill& bill, const ReliabilityRequest& request, const TaskContext& context) {
    constexpr double share = 0.08;
    constexpr std::int64_t mostPoints = 10;
    StandbyCurve curve;
    const auto servers = static_cast<std::int64_t>(intactOf(fabric).servers.size());
    if (servers < 2) return curve;
    // Where several servers share an HB domain, one, two and three of each stand by.
    const auto domains = static_cast<std::int64_t>(intactOf(fabric).hbDomains.size());
    const bool isShared = domains > 0 && servers >= 2 * domains;
    const auto most = isShared ? std::min(3 * domains, servers - domains)
                               : std::clamp<std::int64_t>(std::llround(share * static_cast<double>(servers)), 1, servers - 1);
    const std::int64_t step = isShared ? domains : roundStep(static_cast<double>(most) / mostPoints);
    for (std::int64_t standbys = 0; standbys <= most; standbys += step) curve.points.push_back({.standbys = standbys});
    curve.trials = std::clamp<std::int64_t>(200'000 / servers, 16, 4000); // small designs need many, and each is short
    curve.cost = costWithin(bill, request.horizon.value() / 3600);
    curve.isAtLeast = bill.unpricedLines > 0;
    const auto findBest = [&] {
        const auto trainsMore = [](const StandbyPoint& a, const StandbyPoint& b) { return a.trains < b.trains; };
        curve.best =
            static_cast<std::size_t>(std::max_element(curve.points.begin(), curve.points.end(), trainsMore) - curve.points.begin());
    };
    if (!simulatePoints(fabric, request, curve.trials, curve.cost, curve.points, context)) return {};
    findBest();
    // Between the neighbours of the best one.
    const std::int64_t fine = std::max<std::int64_t>(1, step / 5), best = curve.points[curve.best].standbys;
    std::vector<StandbyPoint> between;
    for (std::int64_t standbys = std::max<std::int64_t>(0, best - step) + fine; standbys < std::min(best + step, most + 1);
         standbys += fine)
        if (standbys % step != 0) between.push_back({.standbys = standbys});
    if (!simulatePoints(fabric, request, curve.trials, curve.cost, between, context)) return {};
    curve.points.insert(curve.points.end(), between.begin(), between.end());
    std::sort(curve.points.begin(), curve.points.end(),
              [](const StandbyPoint& a, const StandbyPoint& b) { return a.standbys < b.standbys; });
    findBest();
    return curve;
}

std::size_t StandbyCurve::nearest(std::int64_t standbys) const {
    const auto distance = [&](const StandbyPoint& point) { return std::abs(point.standbys - standbys); };
    const auto closer = [&](const StandbyPoint& a, const StandbyPoint& b) { return distance(a) < distance(b); };
    return static_cast<std::size_t>(std::min_element(points.begin(), points.end(), closer) - points.begin());
}

BandwidthLeftCurve bandwidthLeftCurve(const FabricPointer& fabric, const ReliabilityRequest& request, const TaskContext& context) {
    constexpr std::int64_t mostFailed = 16;
    BandwidthLeftCurve curve;
    std::vector<DeviceId> switches;
    const Rates rates = ratesOf(*fabric->design, request);
    for (const DeviceId d : fabric->devices.ids()) {
        if (!fabric->devices.routes(d)) continue;
        switches.push_back(d);
        curve.failuresPerYear += rates.of(kindOfTier(fabric->devices.tier[d]), fabric->partIds[fabric->devices.part[d]]).base.value_or(0);
    }
    curve.switches = static_cast<std::int64_t>(switches.size());
    const std::int64_t most = std::min<std::int64_t>(mostFailed, curve.switches / 2), step = std::max<std::int64_t>(1, most / 8);
    for (std::int64_t failed = 0; failed <= most; failed += step) curve.points.push_back({.failed = failed});
    curve.draws = fabric->devices.size() > 300'000 ? 10 : 40;
    const auto draws = static_cast<std::size_t>(curve.draws);
    const double intact = bisection(intactOf(*fabric), BisectionKey::Server).upperGbps;
    if (intact <= 0 || curve.points.size() < 2) return {};
    BandwidthLeftPoint& now = curve.points.front();
    if (fabric->intact) now.mean = now.low = now.high = bisection(*fabric, BisectionKey::Server).upperGbps / intact;
    const auto found = runTasks<double>((curve.points.size() - 1) * draws, context, [&](std::size_t i) {
        // The draws of a point are the first of a longer list, so that more failures are those of fewer with others.
        RandomNumbers random(mixedBits(request.seed) + i % draws);
        std::vector<DeviceId> left = switches;
        std::vector<bool> gone(fabric->devices.size());
        for (std::int64_t n = 0; n < curve.points[i / draws + 1].failed; ++n) {
            const auto at = static_cast<std::size_t>(random.fraction() * static_cast<double>(left.size()));
            gone[left[at]] = true;
            left[at] = left.back();
            left.pop_back();
        }
        return bisection(*without(fabric, gone, {}), BisectionKey::Server).upperGbps / intact;
    });
    for (std::size_t p = 1; p < curve.points.size(); ++p) {
        std::vector<double> values;
        for (std::size_t draw = 0; draw < draws; ++draw)
            if (const auto& value = found[(p - 1) * draws + draw]) values.push_back(*value);
        if (values.size() < draws) return {}; // stopped
        std::sort(values.begin(), values.end());
        BandwidthLeftPoint& point = curve.points[p];
        point.mean = 0;
        for (const double value : values) point.mean += value / static_cast<double>(draws);
        point.low = values[draws / 20];
        point.high = values[draws - 1 - draws / 20];
    }
    return curve;
}

std::vector<JobSizePoint> jobSizeCurve(const Fabric& fabric, const ReliabilityRequest& request, const TaskContext& context) {
    const auto all = static_cast<std::int64_t>(gpusOf(intactOf(fabric), request.placement, request.seed).size());
    std::vector<std::int64_t> sizes;
    for (std::int64_t gpus = 8; gpus < all; gpus *= 2) sizes.push_back(gpus);
    if (all > 0) sizes.push_back(all);
    const auto found = runTasks<JobSizePoint>(sizes.size(), context, [&](std::size_t i) {
        ReliabilityRequest own = request;
        own.jobGpus = sizes[i];
        own.standbys = 0;
        const auto place = jobPlaceOf(fabric, own);
        JobSizePoint point{sizes[i], {}, {}, {}, {}};
        if (!place) return point;
        const Reliability known = reliabilityOf(fabric, jobPartsOf(fabric, *place, own.policy), own);
        const auto ettrAt = [&](const std::optional<double>& hours) {
            return hours ? std::optional(checkpointPlan(own.checkpoint, Seconds(*hours * 3600)).ettr) : std::nullopt;
        };
        point.meanTimeHours = known.meanTimeHours;
        point.ettr = ettrAt(known.meanTimeHours);
        point.ettrLow = ettrAt(known.meanTimeLowHours);
        point.ettrHigh = ettrAt(known.meanTimeHighHours);
        return point;
    });
    std::vector<JobSizePoint> points;
    for (const auto& point : found)
        if (point) points.push_back(*point);
    return points;
}

std::optional<Seconds> LeafPolicies::turn() const {
    const double moreLost = leaving.throughputChange - forwarding.throughputChange; // per second that forwarding goes on
    const double saved = leaving.restart.value() - forwarding.restart.value();
    if (moreLost <= 0 || saved <= 0) return {};
    return Seconds(saved / moreLost);
}

Result<LeafPolicies> leafPolicies(const FabricPointer& fabric, const ReliabilityRequest& request) {
    auto job = jobOf(*fabric->design);
    if (!job) return job.errors();
    if (request.jobGpus > 0) { // else on its own GPUs
        job->gpus = request.jobGpus;
        job->placement = request.placement;
        job->seed = request.seed;
    }
    if (request.jobGpus == 0 && request.standbys > 0) { // it is on those that do not stand by
        const auto place = jobPlaceOf(*fabric, request);
        if (!place) return place.errors();
        job->gpus = static_cast<std::int64_t>(remainingPartsOf(*fabric, *place, FailurePolicy::Strict).gpus.size());
    }
    const auto placed = placedOn(*fabric, *job);
    if (!placed) return placed.errors();
    const auto before = estimateTraining(*fabric, *placed, job->planned.plan);
    if (!before) return before.errors();
    ReliabilityRequest strict = request;
    strict.policy = FailurePolicy::Strict;
    const JobParts parts = jobPartsOf(*fabric, placed->gpus, FailurePolicy::Strict);
    DeviceId leaf = none;
    for (const SwitchGraph::Host& host : parts.graph.hosts)
        if (parts.devices[host.nic] != PartUse::None && parts.graph.device[host.node] != none)
            leaf = leaf == none ? parts.graph.device[host.node] : std::min(leaf, parts.graph.device[host.node]);
    if (leaf == none) return Error::unbuildable("no NIC of the job is cabled to a leaf");
    std::vector<bool> gone(fabric->devices.size());
    gone[leaf] = true;
    const FabricPointer degraded = without(fabric, gone, {});
    // GPUs that use a NIC with no other path.
    std::vector<bool> hasPath(fabric->devices.size()), leaves(fabric->devices.size());
    for (const SwitchGraph::Host& host : parts.graph.hosts)
        if (parts.graph.device[host.node] != leaf) hasPath[host.nic] = true;
    std::int64_t lost = 0;
    for (const LinkId l : fabric->links.ids()) {
        if (fabric->links.tier[l] != LinkTier::Pcie) continue;
        const DeviceId a = fabric->links.a[l], b = fabric->links.b[l], gpu = fabric->devices.isGpu(a) ? a : b, nic = gpu == a ? b : a;
        if (parts.devices[gpu] == PartUse::None || !fabric->devices.isNic(nic) || hasPath[nic] || leaves[gpu]) continue;
        leaves[gpu] = true;
        ++lost;
    }
    JobPlace place{placed->gpus, {}};
    if (fabric->intact)
        for (DeviceId& gpu : place.gpus) gpu = fabric->intactDevice[gpu];
    const Reliability known = reliabilityOf(*fabric, jobPartsOf(*fabric, place, FailurePolicy::Strict), strict);
    LeafPolicies result;
    result.leaf = fabric->devicePath(leaf);
    result.model = before->job.model.name;
    result.gpus = before->job.gpus();
    result.repair = request.repairSwitch;
    const double rework = known.checkpoint ? known.checkpoint->interval.value() / 2 : 0; // half an interval on average
    result.leaving.gpus = before->job.gpus() - lost;
    result.leaving.step = before->iteration;
    result.leaving.throughputChange = -static_cast<double>(lost) / static_cast<double>(before->job.gpus());
    result.leaving.restart = Seconds(lost > 0 ? request.checkpoint.restart.value() + rework : 0);
    const auto jobAfter = placedOn(*degraded, *job);
    if (!jobAfter) return jobAfter.errors();
    const auto forwarded = estimateTraining(*degraded, *jobAfter, job->planned.plan);
    if (!forwarded) return forwarded.errors();
    result.forwarding.gpus = forwarded->job.gpus();
    result.forwarding.step = forwarded->iteration;
    result.forwarding.throughputChange = std::min(0.0, before->iteration.value() / forwarded->iteration.value() - 1);
    result.forwarding.restart = Seconds(request.isStalled() ? request.checkpoint.restart.value() + rework : 0);
    if (lost == 0) result.leaving = result.forwarding; // every NIC has another path, so that no GPU leaves
    return result;
}

} // namespace railyard
