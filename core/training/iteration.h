// The schedule of one iteration: compute times of the stages and communication, put together as 1F1B, interleaved or not.
#pragma once

#include "core/training/group_times.h"
#include "core/training/layer_times.h"
#include "core/training/memory.h"

#include <vector>

namespace railyard {

// `ofStages`: times of the slowest GPU of every pipeline stage. Bubble of the ideal time: (p - 1) / (m v) (Narayanan et al., SC'21).
Result<TrainingBreakdown> iterationOf(const TrainingJob& job, const TrainingPlan& plan, const std::vector<ModelTimes>& ofStages,
                                      const std::vector<GpuSpeed>& speeds, const TrainingCalibration& calibration, GroupTimes& groups);

} // namespace railyard
