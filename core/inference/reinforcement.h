// Reinforcement learning from feedback (RLHF): on the same GPUs, in turn, answers are generated, scored, and trained on.
#pragma once

#include "core/inference/inference.h"
#include "core/training/training.h"

namespace railyard {

struct ReinforcementRequest {
    // Its global batch is the number of answers of an iteration; the sequence of its model is set to prompt and answer.
    PlacedJob training;
    TrainingPlan plan;
    std::int64_t promptTokens = 512, outputTokens = 1024;
    std::int64_t generationTensor = 0, generationPipeline = 1; // 0: as of training
    std::int64_t generationBatch = 0;                          // of a replica; 0: as many as fit beside the state of training, at most 256
    std::int64_t scoringModels = 2; // of the same size, with a forward pass each: the reference and the reward; in host memory until then
};

struct ReinforcementEstimate {
    ReinforcementRequest request; // with what was chosen
    InferenceEstimate generation;
    TrainingEstimate training;
    std::int64_t answersOfReplica = 0, waves = 0; // generated at once, one wave after the other
    // Resharding: weights from where training has them to where generation needs them, an all-gather among the GPUs that share a part
    // (Sheng et al., HybridFlow, EuroSys 2025, section 5.3).
    Seconds resharding, generating, scoring, updating;
    Seconds scoringMessages;          // of scoring
    std::vector<std::string> reasons; // why it does not fit; empty if it does

    Seconds iteration() const { return resharding + generating + scoring + updating; }
    Seconds onNetwork() const; // exposed messages of all parts
    double answersPerSecond() const { return static_cast<double>(training.job.globalBatch) / iteration().value(); }
};

// Errors: those of training and of inference.
Result<ReinforcementEstimate> estimateReinforcement(const Fabric& fabric, ReinforcementRequest request,
                                                    const TrainingCalibration& calibration = shippedTrainingCalibration());

} // namespace railyard
