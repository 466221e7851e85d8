// What a job is where it was not said.
#pragma once

#include "core/collective/collective.h"
#include "core/fabric/fabric.h"
#include "core/training/job.h"

namespace railyard {

// GPUs in the order of their ranks, and what runs on them.
struct PlacedJob {
    TrainingJob job;
    std::vector<std::uint32_t> gpus;
};

// Ways and batches that are 0 become: tensor parallelism the largest power of two that an HB domain and the model's heads
// allow, at most 8; data parallelism all GPUs that are left; four micro-batches a pipeline stage.
// Near: GPUs of HB domains and servers that failures left incomplete stay idle where a tensor-parallel group would straddle two.
PlacedJob placedJob(TrainingJob job, const Fabric& fabric, RankOrder order);
PlacedJob placedJob(TrainingJob job, const Fabric& fabric, std::vector<std::uint32_t> gpus); // exactly these

} // namespace railyard
