#include "core/training/job_times.h"

#include "core/training/placement.h"
#include "core/training/stage_speeds.h"

#include <fmt/format.h>

namespace railyard {

Result<std::unique_ptr<JobTimes>> JobTimes::of(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                               PlacedGroups& groups, const TrainingCalibration& calibration) {
    const TrainingJob& job = placed.job;
    if (auto problems = job.problems(); !problems.empty()) return problems;
    if (job.gpus() > static_cast<std::int64_t>(placed.gpus.size()))
        return Error::unbuildable(
            fmt::format("the job needs tp × pp × dp × cp × ep = {} GPUs, but {} are available", job.gpus(), placed.gpus.size()));
    std::unique_ptr<JobTimes> times(new JobTimes(job, groups));
    const auto known = PlacedSpeeds::of(fabric, placed.gpus, job.gpus(), plan.precision, calibration);
    if (!known) return known.errors();
    const StageSpeeds own = known->of(job);
    for (const std::size_t kind : own.ofStages) times->m_speeds.push_back(known->kinds()[kind]);
    times->m_meanPeak = own.meanPeak;
    times->m_leastMemory = own.leastMemory;
    const std::vector<GpuSpeed>& speeds = times->m_speeds;
    for (std::size_t s = 0; s < speeds.size(); ++s)
        times->m_models.push_back(s > 0 && speeds[s].id == speeds[s - 1].id ? times->m_models.back() : modelTimes(job, plan, speeds[s]));
    times->m_expectedSlowdown = calibration.stragglers.expectedSlowdown(serversOf(fabric, placed.gpus, job.gpus()));
    times->m_iteration.emplace(job, plan, times->m_models, speeds, times->m_content, plan.straggler * times->m_expectedSlowdown,
                               calibration, times->m_groups);
    return times;
}

} // namespace railyard
