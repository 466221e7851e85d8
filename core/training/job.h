// A training job: a model divided over ranks.
#pragma once

#include "core/training/model.h"

#include <array>

namespace railyard {

// Ways to divide the work: tensors, sequences (context), experts, batches (data), layers (pipeline).
enum class Parallel { Tensor, Context, Expert, Data, Pipeline };
constexpr std::array<Parallel, 5> allParallel{Parallel::Tensor, Parallel::Context, Parallel::Expert, Parallel::Data, Parallel::Pipeline};
std::string_view toText(Parallel parallel); // tp, cp, ep, dp, pp

enum class Recompute { None, Selective, Full };

struct TrainingJob {
    TransformerModel model;
    std::array<std::int64_t, 5> ways{1, 1, 1, 1, 1}; // by Parallel
    std::array<Parallel, 5> rankOrder = allParallel; // innermost first
    std::int64_t microBatch = 1, globalBatch = 1;    // sequences
    std::int64_t interleave = 1;                     // chunks of a pipeline stage
    Recompute recompute = Recompute::None;
    int zero = 0;                    // what data-parallel ranks share: 1 optimizer, 2 gradients, 3 parameters too
    int gradientBytes = 4;           // of one parameter
    bool isPipelineScattered = true; // tensors between stages are split over the tensor-parallel ranks

    std::int64_t by(Parallel parallel) const { return ways[static_cast<std::size_t>(parallel)]; }
    std::int64_t gpus() const;
    std::int64_t microBatches() const { return globalBatch / (by(Parallel::Data) * by(Parallel::Expert) * microBatch); }
    // Everything that keeps this job from running; nothing where it can.
    std::vector<Error> problems() const;
    // The order from text: tp-cp-ep-dp-pp, each once.
    static Result<std::array<Parallel, 5>> rankOrderFrom(const std::string& text);
};

} // namespace railyard
