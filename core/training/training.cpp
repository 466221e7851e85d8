#include "core/training/training.h"

#include "core/training/iteration.h"
#include "core/training/layer_times.h"
#include "core/training/memory.h"
#include "core/workload/flops.h"
#include "core/workload/job_traffic.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>

namespace railyard {
namespace {

// Of the slowest GPU of every stage.
Result<std::vector<GpuSpeed>> speedsOfStages(const Fabric& fabric, const PlacedJob& placed, Precision precision,
                                             const TrainingCalibration& calibration) {
    std::map<std::uint32_t, GpuSpeed> known; // by part
    std::vector<GpuSpeed> speeds;
    const TrainingJob& job = placed.job;
    for (std::int64_t stage = 0; stage < job.by(Parallel::Pipeline); ++stage) {
        std::int64_t stride = 1;
        for (const Parallel each : job.rankOrder) {
            if (each == Parallel::Pipeline) break;
            stride *= job.by(each);
        }
        const GpuSpeed* slowest = nullptr;
        for (const std::int64_t rank :
             groupOf(job, stage * stride, {Parallel::Tensor, Parallel::Context, Parallel::Expert, Parallel::Data})) {
            const DeviceId gpu = placed.gpus[static_cast<std::size_t>(rank)];
            const std::uint32_t part = fabric.devices.part[gpu];
            auto at = known.find(part);
            if (at == known.end()) {
                auto speed = speedOf(fabric, gpu, precision, calibration);
                if (!speed) return speed.errors();
                at = known.emplace(part, std::move(*speed)).first;
            }
            const auto product = [](const GpuSpeed& of) { return of.matrixPeak * of.constants.matrixShare; };
            if (!slowest || product(at->second) < product(*slowest)) slowest = &at->second;
        }
        speeds.push_back(*slowest);
    }
    return speeds;
}

struct Change {
    std::string words;
    std::function<void(TrainingJob&)> make;
};

// Single changes, those that cost least first.
std::vector<Change> changesOf(const TrainingJob& job) {
    std::vector<Change> changes;
    const std::int64_t dp = job.by(Parallel::Data);
    for (int zero = job.zero + 1; zero <= 3 && dp > 1; ++zero)
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

std::string whatDoesNotFit(const TrainingJob& job, const TrainingPlan& plan, const GpuSpeed& gpu, const TrainingCalibration& calibration,
                           const TrainingMemory& memory) {
    const std::pair<const char*, double> parts[] = {{"parameters", memory.parameters},
                                                    {"gradients", memory.gradients},
                                                    {"the optimizer", memory.optimizer},
                                                    {"activations", memory.activations},
                                                    {"workspace", memory.workspace}};
    const auto largest =
        std::max_element(std::begin(parts), std::end(parts), [](const auto& a, const auto& b) { return a.second < b.second; });
    std::string words = fmt::format("the fullest GPU needs {:.1f} GiB and has {:.1f} GiB; the largest part is {} with {:.1f} GiB",
                                    memory.total(), memory.capacity, largest->first, largest->second);
    for (const Change& change : changesOf(job)) {
        TrainingJob tried = job;
        change.make(tried);
        if (!tried.problems().empty()) continue;
        const TrainingMemory then = memoryOf(tried, plan, gpu, calibration);
        if (then.total() <= then.capacity) return words + fmt::format("; with {} it would fit ({:.1f} GiB)", change.words, then.total());
    }
    return words + "; no single change of ZeRO, recomputation, micro-batch, tp or pp makes it fit";
}

// The longest sequence that fits, in steps of 1,024 tokens.
std::int64_t longestSequence(TrainingJob job, const TrainingPlan& plan, const GpuSpeed& gpu, const TrainingCalibration& calibration) {
    const std::int64_t step = 1024 * job.by(Parallel::Context);
    std::int64_t fits = 0, tooLong = std::int64_t{1} << 24;
    const auto total = [&](std::int64_t steps) {
        job.model.sequenceTokens = steps * step;
        return memoryOf(job, plan, gpu, calibration).total();
    };
    if (gpu.memoryBytes <= 0) return 0;
    const double most = gpu.memoryBytes / (1 << 30);
    while (tooLong - fits > 1) {
        const std::int64_t middle = (fits + tooLong) / 2;
        (total(middle) <= most ? fits : tooLong) = middle;
    }
    return fits * step;
}

Status addBytes(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan, GroupTimes& groups, TrainingEstimate& into) {
    const auto traffic = groups.traffic();
    if (!traffic) return traffic.errors();
    const TrainingJob& job = placed.job;
    const auto ranks = static_cast<double>(job.gpus());
    // jobTrafficOf counts one all-gather and one reduce-scatter a block and pass; the inputs are gathered once more backward.
    const double again = job.recompute == Recompute::Full ? 3 : 2, gathered = plan.isSequenceParallel ? 1 + 0.5 / again : 1;
    for (const JobFlow& flow : (*traffic)->flows) {
        const double bytes = flow.bytes / ranks * (flow.kind == Parallel::Tensor ? gathered : 1);
        into.bytesPerGpu[static_cast<std::size_t>(flow.kind)] += bytes;
        const auto domain = fabric.devices.hbDomain[flow.from];
        (domain != none && domain == fabric.devices.hbDomain[flow.to] ? into.hbBytesPerGpu : into.nicBytesPerGpu) += bytes;
    }
    return Done{};
}

} // namespace

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
    if (!detail->memoryBandwidth) return unknown("memory bandwidth");
    GpuSpeed speed;
    speed.id = part->id;
    speed.name = part->name;
    speed.matrixPeak = precision == Precision::Fp8 ? *detail->fp8Flops : *detail->halfPrecisionFlops;
    speed.attentionPeak = *detail->halfPrecisionFlops;
    speed.memoryBandwidth = *detail->memoryBandwidth;
    speed.memoryBytes = detail->memoryGb.value_or(0) * (1 << 30); // makers call 2^30 bytes a GB here
    speed.constants = calibration.of(part->id);
    return speed;
}

Result<TrainingEstimate> estimateTraining(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& asked,
                                          const TrainingCalibration& calibration) {
    const TrainingJob& job = placed.job;
    if (auto problems = job.problems(); !problems.empty()) return problems;
    if (job.gpus() > static_cast<std::int64_t>(placed.gpus.size()))
        return Error::unbuildable(
            fmt::format("the job needs tp × pp × dp × cp × ep = {} GPUs, but {} are available", job.gpus(), placed.gpus.size()));
    TrainingEstimate estimate;
    estimate.job = job;
    estimate.plan = asked;
    estimate.plan.isSequenceParallel = asked.isSequenceParallel && job.by(Parallel::Tensor) > 1;
    const auto speeds = speedsOfStages(fabric, placed, asked.precision, calibration);
    if (!speeds) return speeds.errors();
    std::vector<ModelTimes> times;
    for (std::size_t s = 0; s < speeds->size(); ++s)
        times.push_back(s > 0 && (*speeds)[s].id == (*speeds)[s - 1].id ? times.back() : modelTimes(job, estimate.plan, (*speeds)[s]));
    GroupTimes groups(fabric, placed);
    const auto breakdown = Iteration(job, estimate.plan, times, *speeds, calibration, groups).at(job.interleave, job.zero);
    if (!breakdown) return breakdown.errors();
    estimate.breakdown = *breakdown;
    estimate.iteration = breakdown->total();
    const GpuSpeed& slowest =
        *std::min_element(speeds->begin(), speeds->end(), [](const GpuSpeed& a, const GpuSpeed& b) { return a.matrixPeak < b.matrixPeak; });
    estimate.low = estimate.iteration * slowest.constants.low;
    estimate.high = estimate.iteration * slowest.constants.high;
    estimate.isCalibrated = slowest.constants.isCalibrated;
    estimate.calibration = calibration.name;
    const TrainingFlops flops = flopsOf(job.model, job.globalBatch, job.recompute);
    estimate.modelFlops = flops.model;
    estimate.hardwareFlops = flops.hardware;
    estimate.parameters = static_cast<double>(job.model.parameters().value_or(0));
    estimate.peakFlops = slowest.matrixPeak;
    const GpuSpeed& smallest = *std::min_element(speeds->begin(), speeds->end(),
                                                 [](const GpuSpeed& a, const GpuSpeed& b) { return a.memoryBytes < b.memoryBytes; });
    estimate.memory = memoryOf(job, estimate.plan, smallest, calibration);
    if (estimate.memory.capacity > 0 && estimate.memory.total() > estimate.memory.capacity)
        estimate.reasons.push_back(whatDoesNotFit(job, estimate.plan, smallest, calibration, estimate.memory));
    estimate.longestSequence = longestSequence(job, estimate.plan, smallest, calibration);
    if (const Status done = addBytes(fabric, placed, estimate.plan, groups, estimate); !done) return done.errors();
    return estimate;
}

} // namespace railyard
