#include "core/training/job_times.h"

#include "core/training/placement.h"
#include "core/training/training.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace railyard {

Result<std::unique_ptr<JobTimes>> JobTimes::of(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                               PlacedGroups& groups, const TrainingCalibration& calibration) {
    const TrainingJob& job = placed.job;
    if (auto problems = job.problems(); !problems.empty()) return problems;
    if (job.gpus() > static_cast<std::int64_t>(placed.gpus.size()))
        return Error::unbuildable(
            fmt::format("the job needs tp × pp × dp × cp × ep = {} GPUs, but {} are available", job.gpus(), placed.gpus.size()));
    std::unique_ptr<JobTimes> times(new JobTimes(job, groups));
    if (const Status found = times->findSpeeds(fabric, placed, plan, calibration); !found) return found.errors();
    times->m_expectedSlowdown = calibration.stragglers.expectedSlowdown(serversOf(fabric, placed.gpus, job.gpus()));
    times->m_iteration.emplace(job, plan, times->m_models, times->m_speeds, times->m_content, plan.straggler * times->m_expectedSlowdown,
                               calibration, times->m_groups);
    return times;
}

// GPUs may have the same peak and differ in memory bandwidth, so the slowest one of a stage is that whose layers take longest.
Status JobTimes::findSpeeds(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                            const TrainingCalibration& calibration) {
    const TrainingJob& job = placed.job;
    std::int64_t stride = 1; // from a stage to the next one
    for (const Parallel each : job.rankOrder) {
        if (each == Parallel::Pipeline) break;
        stride *= job.by(each);
    }
    struct Kind {
        GpuSpeed speed;
        ModelTimes times;
        Seconds ofLayers;
    };
    std::map<std::uint32_t, Kind> known; // by part
    std::vector<const Kind*> slowest(static_cast<std::size_t>(job.by(Parallel::Pipeline)));
    const auto ofLayer = [](const LayerTimes& layer) { return layer.forward + layer.backward + layer.recompute; };
    const std::int64_t ranks = job.gpus();
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        const DeviceId gpu = placed.gpus[static_cast<std::size_t>(rank)];
        auto at = known.find(fabric.devices.part[gpu]);
        if (at == known.end()) {
            auto speed = speedOf(fabric, gpu, plan.precision, calibration);
            if (!speed) return speed.errors();
            const bool isFirst = known.empty();
            const ModelTimes times = modelTimes(job, plan, *speed);
            const auto mixtures = static_cast<double>(job.model.mixtureLayers()), layers = static_cast<double>(job.model.layers);
            const Seconds ofLayers = (layers - mixtures) * ofLayer(times.dense) + mixtures * ofLayer(times.mixture);
            m_leastMemory = isFirst ? speed->memoryBytes : std::min(m_leastMemory, speed->memoryBytes);
            at = known.emplace(fabric.devices.part[gpu], Kind{std::move(*speed), times, ofLayers}).first;
        }
        m_meanPeak += at->second.speed.matrixPeak / static_cast<double>(ranks);
        const Kind*& own = slowest[static_cast<std::size_t>(rank / stride % job.by(Parallel::Pipeline))];
        if (!own || at->second.ofLayers > own->ofLayers) own = &at->second;
    }
    for (const Kind* each : slowest) {
        m_speeds.push_back(each->speed);
        m_models.push_back(each->times);
    }
    return Done{};
}

} // namespace railyard
