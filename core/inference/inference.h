// Serving a model on a fabric as it is drawn: prefill of prompts, decoding of answers, on the same GPUs or apart from each other.
#pragma once

#include "core/routing/link_loads.h"
#include "core/training/gpu_speed.h"
#include "core/training/job_request.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

// A replica has tp × pp GPUs; with experts, ep of them form a group that shares the experts, each with sequences of its own.
struct InferenceRequest {
    TransformerModel model;
    std::int64_t tensor = 0; // 0: the largest power of two in an HB domain, at most 8
    std::int64_t pipeline = 1, expert = 1;
    Precision precision = Precision::Bf16;
    std::int64_t promptTokens = 2048, outputTokens = 512;
    std::int64_t batch = 0; // sequences that a replica decodes at once; 0: as many as fit, at most 256
    std::int64_t gpus = 0;  // the first ones of the placement; 0: all
    Placement placement = Placement::Packed;
    std::uint64_t seed = 1;  // of a random placement
    double heldGib = 0;      // memory of every GPU that something else holds
    double prefillShare = 0; // of the replicas, for prefill alone; 0: every replica does both
};

// One pass of a replica, with its parts: of a prompt through all stages, or of one token of every sequence.
struct InferencePass {
    Seconds compute;
    Seconds tensor, expert, pipeline; // messages; nothing hides them
    Seconds longestStage;             // of the pipeline, messages included
    Seconds total() const { return compute + tensor + expert + pipeline; }
    double networkShare() const { return (total() - compute) / total(); }
};

struct InferenceMemory {                                        // GiB of the fullest GPU
    double weights = 0, cache = 0, workspace = 0, capacity = 0; // workspace with what something else holds; capacity 0: not known
    double total() const { return weights + cache + workspace; }
};

struct InferenceEstimate {
    InferenceRequest request;
    std::vector<std::string> reasons;                                             // why it does not fit; empty if it does
    std::int64_t gpus = 0, replicas = 0, prefillReplicas = 0, decodeReplicas = 0; // of both kinds if each replica does both
    std::int64_t batch = 0, mostSequences = 0;                                    // of a replica; that fit in memory
    InferencePass prefill, decode;
    Seconds step;          // of decoding: until every sequence of the batch has its next token
    Seconds cacheTransfer; // of a prompt from a prefill to a decode replica; 0 if each replica does both
    Seconds timeToFirstToken, timePerOutputToken;
    double requestsPerSecond = 0;
    double balancedPrefillShare = 0; // at which neither kind of replica waits for the other; transfers aside
    InferenceMemory memory;
    double low = 1, high = 1; // interval of the times, as multiples
    bool isCalibrated = false;
    // Sent by a GPU, mean over all: by kind and, of all kinds, between HB domains.
    double tensorBytesPerSecond = 0, expertBytesPerSecond = 0, pipelineBytesPerSecond = 0, cacheBytesPerSecond = 0;

    bool isFeasible() const { return reasons.empty(); }
    double tokensPerSecond() const { return requestsPerSecond * static_cast<double>(request.outputTokens); }
    double tokensPerSecondPerGpu() const { return gpus > 0 ? tokensPerSecond() / static_cast<double>(gpus) : 0; }
};

// Errors: the model cannot be divided so, there are not enough GPUs for a replica (of each kind), the GPUs cannot reach each other, or
// their speed is not known. Formulas: docs/engine.md, Inference.
Result<InferenceEstimate> estimateInference(const Fabric& fabric, const InferenceRequest& request,
                                            const TrainingCalibration& calibration = shippedTrainingCalibration());
// The same on these GPUs, in this order; `gpus` of the request are the first of them.
Result<InferenceEstimate> estimateInference(const Fabric& fabric, const InferenceRequest& request, const std::vector<DeviceId>& gpus,
                                            const TrainingCalibration& calibration = shippedTrainingCalibration());
// What the GPUs send to each other while they serve, in bytes per second: rings of tensor parallelism, exchanges between experts, from
// stage to stage, and keys and values from prefill to decode replicas.
Result<std::vector<GpuFlow>> inferenceFlows(const Fabric& fabric, const InferenceRequest& request,
                                            const TrainingCalibration& calibration = shippedTrainingCalibration());
// The same with batches of 1, 2, 4 and so on that fit: throughput against the time per token.
Result<std::vector<InferenceEstimate>> inferenceCurve(const Fabric& fabric, const InferenceRequest& request,
                                                      const TrainingCalibration& calibration = shippedTrainingCalibration());

} // namespace railyard
