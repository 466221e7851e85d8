// What the times of a job on its GPUs depend on: the GPUs of its stages, their layers, and the groups of its ranks.
#pragma once

#include "core/training/iteration.h"

#include <memory>

namespace railyard {

class JobTimes {
public:
    // All arguments must outlive this. Errors: the job cannot be divided so, has more ranks than there are GPUs, or the speed of its GPUs
    // is not known.
    static Result<std::unique_ptr<JobTimes>> create(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                                    PlacedGroups& groups, const TrainingCalibration& calibration);
    JobTimes(const JobTimes&) = delete;
    JobTimes& operator=(const JobTimes&) = delete;

    const std::vector<GpuSpeed>& speeds() const { return m_speeds; } // of the slowest GPU of every stage
    const std::vector<StageContent>& content() const { return m_content; }
    double meanPeak() const { return m_meanPeak; }                    // FLOP/s of one GPU
    const MemoryLimits& leastMemory() const { return m_leastMemory; } // 0 if that of a GPU is not known
    double expectedSlowdown() const { return m_expectedSlowdown; }    // by stragglers that are not known
    Iteration& iteration() { return *m_iteration; }                   // with the stragglers that are expected
    // With those of the median placement, and of the 99th percentile.
    Iteration& median() { return *m_median; }
    Iteration& percentile99() { return *m_percentile99; }

private:
    JobTimes(const TrainingJob& job, PlacedGroups& groups) : m_content(contentOfStages(job)), m_groups(job, groups) {}

    std::vector<GpuSpeed> m_speeds;
    std::vector<ModelTimes> m_models;
    std::vector<StageContent> m_content;
    double m_meanPeak = 0;
    MemoryLimits m_leastMemory;
    double m_expectedSlowdown = 1;
    GroupTimes m_groups;
    std::unique_ptr<Iteration> m_iteration, m_median, m_percentile99;
};

} // namespace railyard
