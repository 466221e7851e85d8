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
    if (const Status found = times->findSpeeds(fabric, placed, plan.precision, calibration); !found) return found.errors();
    const std::vector<GpuSpeed>& speeds = times->m_speeds;
    for (std::size_t s = 0; s < speeds.size(); ++s)
        times->m_models.push_back(s > 0 && speeds[s].id == speeds[s - 1].id ? times->m_models.back() : modelTimes(job, plan, speeds[s]));
    times->m_expectedSlowdown = calibration.stragglers.expectedSlowdown(serversOf(fabric, placed.gpus, job.gpus()));
    times->m_iteration.emplace(job, plan, times->m_models, speeds, times->m_content, plan.straggler * times->m_expectedSlowdown,
                               calibration, times->m_groups);
    return times;
}

Status JobTimes::findSpeeds(const Fabric& fabric, const PlacedJob& placed, Precision precision, const TrainingCalibration& calibration) {
    const TrainingJob& job = placed.job;
    std::int64_t stride = 1; // from a stage to the next one
    for (const Parallel each : job.rankOrder) {
        if (each == Parallel::Pipeline) break;
        stride *= job.by(each);
    }
    std::map<std::uint32_t, GpuSpeed> known; // by part
    std::vector<const GpuSpeed*> slowest(static_cast<std::size_t>(job.by(Parallel::Pipeline)));
    const auto product = [](const GpuSpeed& of) { return of.matrixPeak * of.constants.matrixShare; };
    const std::int64_t ranks = job.gpus();
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        const DeviceId gpu = placed.gpus[static_cast<std::size_t>(rank)];
        auto at = known.find(fabric.devices.part[gpu]);
        if (at == known.end()) {
            auto speed = speedOf(fabric, gpu, precision, calibration);
            if (!speed) return speed.errors();
            const bool isFirst = known.empty();
            at = known.emplace(fabric.devices.part[gpu], std::move(*speed)).first;
            m_leastMemory = isFirst ? at->second.memoryBytes : std::min(m_leastMemory, at->second.memoryBytes);
        }
        m_meanPeak += at->second.matrixPeak / static_cast<double>(ranks);
        const GpuSpeed*& own = slowest[static_cast<std::size_t>(rank / stride % job.by(Parallel::Pipeline))];
        if (!own || product(at->second) < product(*own)) own = &at->second;
    }
    for (const GpuSpeed* each : slowest) m_speeds.push_back(*each);
    return Done{};
}

} // namespace railyard
