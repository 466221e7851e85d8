#include "core/training/job_times.h"

#include "core/training/placement.h"
#include "core/training/stage_speeds.h"

#include <fmt/format.h>

namespace railyard {

Result<std::unique_ptr<JobTimes>> JobTimes::create(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                                   PlacedGroups& groups, const TrainingCalibration& calibration) {
    const TrainingJob& job = placed.job;
    if (auto problems = job.problems(); !problems.empty()) return problems;
    if (job.gpus() > static_cast<std::int64_t>(placed.gpus.size()))
        return Error::unbuildable(fmt::format("the job needs {} GPUs, but {} are available", job.gpusText(), placed.gpus.size()));
    std::unique_ptr<JobTimes> times(new JobTimes(job, groups));
    const auto known = PlacedSpeeds::create(fabric, placed.gpus, job.gpus(), job.precision, plan.slow, calibration);
    if (!known) return known.errors();
    const StageSpeeds own = known->speedsFor(job);
    std::vector<ModelTimes> ofKinds;
    std::vector<Seconds> ofLayers;
    for (const GpuSpeed& kind : known->kinds()) {
        ofKinds.push_back(modelTimes(job, plan, kind));
        ofLayers.push_back(timeOfLayers(job.model, ofKinds.back()) * kind.slowdown);
    }
    for (const std::size_t kind : own.slowestOfStages(ofLayers)) {
        times->m_speeds.push_back(known->kinds()[kind]);
        times->m_models.push_back(ofKinds[kind]);
    }
    times->m_meanPeak = own.meanPeak;
    times->m_leastMemory = own.leastMemory;
    const std::int64_t servers = serversOf(fabric, placed.gpus, job.gpus());
    times->m_expectedSlowdown = calibration.stragglers.expectedSlowdown(servers);
    const auto iterationWith = [&](double slowdown) {
        return std::make_unique<Iteration>(job, plan, times->m_models, times->m_speeds, times->m_content, plan.straggler * slowdown,
                                           calibration, times->m_groups);
    };
    times->m_iteration = iterationWith(times->m_expectedSlowdown);
    times->m_median = iterationWith(calibration.stragglers.slowdownAt(0.5, servers));
    times->m_percentile99 = iterationWith(calibration.stragglers.slowdownAt(0.99, servers));
    return times;
}

} // namespace railyard
