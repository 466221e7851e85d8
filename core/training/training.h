// Estimate of a training job on a fabric as it is drawn: the time of an iteration with its parts, memory, and the figures that follow.
// Sources of the formulas: docs/engine.md.
#pragma once

#include "core/training/gpu_speed.h"
#include "core/training/group_times.h"
#include "core/training/training_plan.h"

#include <optional>

namespace railyard {

// Errors: the job cannot be divided so, its ranks cannot reach each other, or the speed of its GPUs is not known. A job that does not fit
// in memory is no error: it is estimated all the same, with the reasons why it cannot run.
Result<TrainingEstimate> estimateTraining(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                          const TrainingCalibration& calibration = shippedTrainingCalibration());
// The same with what is known of groups of these GPUs.
Result<TrainingEstimate> estimateTraining(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan, PlacedGroups& groups,
                                          const TrainingCalibration& calibration = shippedTrainingCalibration());

// The time of an iteration as estimateTraining() has it, without the rest; empty for a job that does not fit in memory, which is found
// before any traffic is routed. Errors: the same.
Result<std::optional<Seconds>> iterationTime(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                             const TrainingCalibration& calibration = shippedTrainingCalibration());

// Of the server of this GPU, or as the calibration says. Without published facts: 25 GB/s of link and 50 GB/s of memory.
HostShare hostOf(const Fabric& fabric, DeviceId gpu, const TrainingCalibration& calibration);
// Speed of a GPU by its catalogue part, in this precision. Errors: a part without peak or memory bandwidth.
Result<GpuSpeed> speedOf(const Fabric& fabric, DeviceId gpu, Precision precision, const TrainingCalibration& calibration);

} // namespace railyard
