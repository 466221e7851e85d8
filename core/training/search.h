// The fastest way to divide a training job over given GPUs.
#pragma once

#include "core/training/training.h"

#include <stop_token>
#include <string>
#include <vector>

namespace railyard {

// The values that are tried, if the job allows them. Data parallelism takes the rest of the GPUs.
struct SearchSpace {
    std::vector<std::int64_t> tensor, pipeline, context, expert, microBatches, interleaves;
    std::vector<Recompute> recompute;
    std::vector<int> zero;
    std::string text() const; // one line, for people
};

// Powers of two for tp up to the HB domain or 8, all divisors of the GPUs for pp up to the layers, powers of two for cp where sequences are
// longer than 16,384 tokens, and for ep where the model has experts; micro-batches up to 8, chunks up to 24.
SearchSpace usualSpace(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus);

struct SearchResult {
    SearchSpace space;
    std::int64_t evaluated = 0;              // configurations that were fully costed
    std::int64_t feasible = 0;               // of these, all fit in memory
    std::int64_t tooLarge = 0;               // configurations that do not fit, and were not costed
    std::vector<TrainingEstimate> best;      // fastest first
    std::optional<TrainingEstimate> nearest; // if nothing fits: the configuration that misses the least memory
};

// `job`: model, global batch, rank order and everything that is not searched. `most`: number of results. Of equally fast configurations the
// one that is tried first comes first. Errors: ranks that cannot reach each other, GPUs of unknown speed.
Result<SearchResult> searchTraining(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus,
                                    const TrainingPlan& plan, const SearchSpace& space, std::size_t most, const std::stop_token& stop = {},
                                    const TrainingCalibration& calibration = shippedTrainingCalibration());

} // namespace railyard
