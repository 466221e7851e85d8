// One iteration as every pipeline stage works on it, pass by pass: what a schedule as 1F1B, interleaved or not, comes to when it is carried
// out. The estimate has its length in closed form; this is carried out on its own and shows where the stages wait.
#pragma once

#include "core/training/iteration.h"
#include "core/training/training.h"

#include <cstdint>
#include <vector>

namespace railyard {

struct PipelinePass {
    bool isForward = true;
    std::int32_t stage = 0, chunk = 0; // from 0
    std::int64_t microBatch = 0;       // from 0
    Seconds begin, end;
};

struct PipelineTimeline {
    std::int64_t stages = 1, chunks = 1, microBatches = 1;
    std::vector<PipelinePass> passes; // by stage, in the order in which it works
    Seconds worked;                   // until the last pass ends
    // After it, on all stages: messages of data parallelism that are exposed and the gradients of a tied embedding, then the optimizer with
    // its offload. `hiddenData`: messages of data parallelism that are sent while the passes run.
    Seconds exposedData, hiddenData, optimizer;
    double idleShare = 0; // of the stages, from the beginning to `worked`
    Seconds length() const { return worked + exposedData + optimizer; }
};

inline constexpr std::int64_t mostPipelinePasses = 2'000'000;

// Order of the passes: Narayanan et al. (SC'21), section 2.2, as Megatron-LM carries it out. Errors: those of estimateTraining; more passes
// than `mostPipelinePasses`.
Result<PipelineTimeline> pipelineTimeline(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                          const TrainingCalibration& calibration = shippedTrainingCalibration());

// The same with given times: of a micro-batch through every stage, all its chunks together, and of sending to the next chunk.
std::vector<PipelinePass> carryOut(const std::vector<Iteration::Passes>& ofStages, Seconds boundary, std::int64_t microBatches,
                                   std::int64_t chunks);

} // namespace railyard
