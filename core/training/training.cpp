#include "core/training/training.h"

#include "core/training/job_times.h"
#include "core/training/memory.h"
#include "core/workload/flops.h"
#include "core/workload/job_traffic.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>

namespace railyard {
namespace {

struct Change {
    std::string words;
    std::function<void(TrainingJob&)> make;
};

// Single changes, those that cost least first.
std::vector<Change> changesOf(const TrainingJob& job) {
    std::vector<Change> changes;
    const std::int64_t dp = job.by(Parallel::Data);
    for (int zero = job.zero + 1; zero <= 3 && job.isReplicated(); ++zero)
        changes.push_back({fmt::format("zero = {}", zero), [zero](TrainingJob& j) { j.zero = zero; }});
    if (job.recompute == Recompute::None)
        changes.push_back({"recompute = selective", [](TrainingJob& j) { j.recompute = Recompute::Selective; }});
    for (std::int64_t batch = job.microBatch / 2; batch >= 1; batch /= 2)
        changes.push_back({fmt::format("micro_batch = {}", batch), [batch](TrainingJob& j) { j.microBatch = batch; }});
    if (job.recompute != Recompute::Full) changes.push_back({"recompute = full", [](TrainingJob& j) { j.recompute = Recompute::Full; }});
    for (const Parallel parallel : {Parallel::Tensor, Parallel::Pipeline})
        for (std::int64_t factor = 2; factor <= 64 && dp % factor == 0; factor *= 2)
            changes.push_back({fmt::format("{} = {}, dp = {}", toText(parallel), job.by(parallel) * factor, dp / factor),
                               [parallel, factor](TrainingJob& j) {
                                   j.degrees[static_cast<std::size_t>(parallel)] *= factor;
                                   j.degrees[static_cast<std::size_t>(Parallel::Data)] /= factor;
                               }});
    return changes;
}

std::string whatDoesNotFit(const TrainingJob& job, const TrainingPlan& plan, const MemoryLimits& limits,
                           const TrainingCalibration& calibration, const TrainingMemory& memory) {
    const std::pair<const char*, double> parts[] = {{"parameters", memory.parameters},
                                                    {"gradients", memory.gradients},
                                                    {"the optimizer", memory.optimizer},
                                                    {"activations", memory.activations},
                                                    {"workspace", memory.workspace}};
    const auto largest =
        std::max_element(std::begin(parts), std::end(parts), [](const auto& a, const auto& b) { return a.second < b.second; });
    std::string words = fmt::format("the fullest GPU needs {:.1f} GiB and has {:.1f} GiB; the largest part is {} ({:.1f} GiB)",
                                    memory.total(), memory.capacity, largest->first, largest->second);
    for (const Change& change : changesOf(job)) {
        TrainingJob tried = job;
        change.make(tried);
        if (!tried.problems().empty()) continue;
        const TrainingMemory then = memoryOf(tried, plan, contentOfStages(tried), limits, calibration);
        if (then.total() <= then.capacity && !then.isHostFull())
            return words + fmt::format("; it would fit with {} ({:.1f} GiB)", change.words, then.total());
    }
    return words + "; no single change of ZeRO, recomputation, micro-batch, tp or pp makes it fit";
}

// The longest sequence that fits, in steps of 1,024 tokens.
std::int64_t longestSequence(TrainingJob job, const TrainingPlan& plan, const MemoryLimits& limits,
                             const TrainingCalibration& calibration) {
    if (limits.gpuBytes <= 0) return 0;
    const std::vector<StageContent> stages = contentOfStages(job);
    const std::int64_t step = 1024 * job.by(Parallel::Context);
    std::int64_t fits = 0, tooLong = std::int64_t{1} << 24;
    const auto total = [&](std::int64_t steps) {
        job.model.sequenceTokens = steps * step;
        const TrainingMemory needed = memoryOf(job, plan, stages, limits, calibration);
        return needed.isHostFull() ? std::numeric_limits<double>::infinity() : needed.total();
    };
    const double most = limits.gpuBytes / (1 << 30);
    while (tooLong - fits > 1) {
        const std::int64_t middle = (fits + tooLong) / 2;
        (total(middle) <= most ? fits : tooLong) = middle;
    }
    return fits * step;
}

Status addBytes(const Fabric& fabric, const PlacedJob& placed, TrainingEstimate& into) {
    const auto traffic = jobTrafficOf(fabric, placed.job, placed.gpus);
    if (!traffic) return traffic.errors();
    const auto ranks = static_cast<double>(placed.job.gpus());
    for (const JobFlow& flow : traffic->flows) {
        const double bytes = flow.bytes / ranks;
        into.bytesPerGpu[static_cast<std::size_t>(flow.kind)] += bytes;
        const auto domain = fabric.devices.hbDomain[flow.from];
        const bool isInside = domain != none && domain == fabric.devices.hbDomain[flow.to];
        (isInside ? into.hbBytesPerGpu : into.nicBytesPerGpu) += bytes;
        if (!isInside && bytes > 0) into.crossesNics[static_cast<std::size_t>(flow.kind)] = true;
    }
    return Done{};
}

} // namespace

// GPUs of a server of this part, as drawn; those that failed in some servers count.
double gpusOfServers(const Fabric& fabric, std::uint16_t part) {
    By<ServerId, int> gpus(fabric.servers.size());
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.isGpu(d) && fabric.devices.server[d] != none) ++gpus[fabric.devices.server[d]];
    int most = 1;
    for (std::size_t s = 0; s < fabric.servers.size(); ++s)
        if (const auto each = static_cast<std::uint32_t>(s); fabric.serverParts[ServerId(each)] == part)
            most = std::max(most, gpus[ServerId(each)]);
    return most;
}

HostShare hostOf(const Fabric& fabric, DeviceId gpu, const TrainingCalibration& calibration) {
    // Of servers without published facts: a link of PCIe 4.0 as it is measured, and an eighth of the memory bandwidth of DGX A100.
    constexpr double usualLink = 25e9, usualMemoryBandwidth = 50e9;
    HostShare share{0, usualMemoryBandwidth, usualLink};
    const ServerId server = fabric.devices.server[gpu];
    const Part* part = server == none ? nullptr : fabric.parts[fabric.serverParts[server]];
    if (const ServerPart* facts = part ? part->as<ServerPart>() : nullptr) {
        const double gpus = gpusOfServers(fabric, fabric.serverParts[server]);
        share.memoryBytes = facts->hostMemoryGb * (1 << 30) / gpus;
        if (facts->hostMemoryBandwidth > 0) share.memoryBandwidth = facts->hostMemoryBandwidth / gpus;
        if (facts->hostLink > 0) share.linkBandwidth = facts->hostLink;
    }
    if (calibration.hostBandwidth > 0) share.linkBandwidth = calibration.hostBandwidth;
    if (calibration.hostMemoryBandwidth > 0) share.memoryBandwidth = calibration.hostMemoryBandwidth;
    return share;
}

Result<GpuSpeed> speedOf(const Fabric& fabric, DeviceId gpu, Precision precision, const TrainingCalibration& calibration) {
    const Part* part = fabric.partOf(gpu);
    const auto* detail = part ? part->as<GpuPart>() : nullptr;
    if (!detail)
        return Error::unbuildable(fmt::format("{}: its GPU is not in the catalogue, so its speed is not known", fabric.devicePath(gpu)));
    const auto unknown = [&](const char* what) {
        return Error::unbuildable(fmt::format("{}: the catalogue has no {}; training times of this GPU are not known", part->name, what));
    };
    if (!detail->halfPrecisionFlops) return unknown("peak for 16 bits");
    if (precision == Precision::Fp8 && !detail->fp8Flops) return unknown("peak for fp8");
    if (precision == Precision::Fp4 && !detail->fp4Flops) return unknown("peak for fp4");
    if (!detail->memoryBandwidth) return unknown("memory bandwidth");
    GpuSpeed speed;
    speed.id = part->id;
    speed.name = part->name;
    speed.matrixPeak = precision == Precision::Fp4   ? *detail->fp4Flops
                       : precision == Precision::Fp8 ? *detail->fp8Flops
                                                     : *detail->halfPrecisionFlops;
    speed.attentionPeak = *detail->halfPrecisionFlops;
    speed.memoryBandwidth = *detail->memoryBandwidth;
    speed.memoryBytes = detail->memoryGb.value_or(0) * (1 << 30); // makers call 2^30 bytes a GB here
    speed.host = hostOf(fabric, gpu, calibration);
    speed.constants = calibration.constantsOf(part->id).in(precision);
    speed.measured = calibration.measured;
    // With measured products the error that remains is that of the schedule, which is known from the GPUs that the built-in curves fit.
    if (calibration.measured && calibration.measured->hasProducts()) {
        constexpr double low = 0.92, high = 1.15;
        speed.constants.isCalibrated = true;
        speed.constants.low = low;
        speed.constants.high = high;
        speed.constants.ofExperts.reset();
    }
    return speed;
}

Result<TrainingEstimate> estimateTraining(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                          const TrainingCalibration& calibration) {
    PlacedGroups groups(fabric, placed.gpus, calibration.collectives);
    return estimateTraining(fabric, placed, plan, groups, calibration);
}

Result<TrainingEstimate> estimateTraining(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan, PlacedGroups& groups,
                                          const TrainingCalibration& calibration) {
    const TrainingJob& job = placed.job;
    const auto times = JobTimes::create(fabric, placed, plan, groups, calibration);
    if (!times) return times.errors();
    const auto breakdown = (*times)->iteration().at(scheduleOf(job, plan));
    if (!breakdown) return breakdown.errors();
    TrainingEstimate estimate;
    estimate.job = job;
    estimate.plan = plan;
    estimate.breakdown = *breakdown;
    estimate.iteration = breakdown->total();
    for (const auto& [iteration, into] :
         {std::pair(&(*times)->median(), &estimate.median), std::pair(&(*times)->percentile99(), &estimate.percentile99)}) {
        const auto parts = iteration->at(scheduleOf(job, plan));
        if (!parts) return parts.errors();
        *into = parts->total();
    }
    estimate.isCalibrated = true;
    double low = 1, high = 1; // the widest interval of the generations
    for (const GpuSpeed& each : (*times)->speeds()) {
        const auto interval = each.constants.intervalOf(job.model.mixture.has_value());
        low = std::min(low, interval.low);
        high = std::max(high, interval.high);
        estimate.isCalibrated = estimate.isCalibrated && interval.isCalibrated;
    }
    estimate.low = estimate.iteration * low;
    estimate.high = estimate.iteration * high;
    estimate.calibration = calibration.name;
    estimate.expectedSlowdown = (*times)->expectedSlowdown();
    const TrainingFlops flops = flopsOf(job.model, job.globalBatch, job.recompute);
    estimate.modelFlops = flops.model;
    estimate.hardwareFlops = flops.hardware;
    estimate.parameters = static_cast<double>(job.model.parameters().value_or(0));
    estimate.peakFlops = (*times)->meanPeak();
    const MemoryLimits memory = (*times)->leastMemory();
    estimate.memory = memoryOf(job, plan, (*times)->content(), memory, calibration);
    if (estimate.memory.isGpuFull()) estimate.reasons.push_back(whatDoesNotFit(job, plan, memory, calibration, estimate.memory));
    if (estimate.memory.isHostFull())
        estimate.reasons.push_back(fmt::format("offload needs {:.1f} GiB of the host for each GPU, which has {:.1f} GiB",
                                               estimate.memory.host, estimate.memory.hostCapacity));
    estimate.longestSequence = longestSequence(job, plan, memory, calibration);
    if (const Status done = addBytes(fabric, placed, estimate); !done) return done.errors();
    estimate.alignment = alignmentOf(fabric, placed);
    return estimate;
}

Result<std::optional<Seconds>> iterationTime(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                             const TrainingCalibration& calibration) {
    PlacedGroups groups(fabric, placed.gpus, calibration.collectives);
    const auto times = JobTimes::create(fabric, placed, plan, groups, calibration);
    if (!times) return times.errors();
    const TrainingMemory memory = memoryOf(placed.job, plan, (*times)->content(), (*times)->leastMemory(), calibration);
    if (memory.isGpuFull() || memory.isHostFull()) return std::optional<Seconds>();
    const auto breakdown = (*times)->iteration().at(scheduleOf(placed.job, plan));
    if (!breakdown) return breakdown.errors();
    return std::optional(breakdown->total());
}

} // namespace railyard
