#include "core/io/results/inference_json.h"

#include "core/io/results/training_json.h"

namespace railyard {
namespace {

Json toJson(const InferencePass& pass) {
    return {{"total", pass.total().value()},     {"compute", pass.compute.value()},     {"tp_exposed", pass.tensor.value()},
            {"ep_exposed", pass.expert.value()}, {"pp_exposed", pass.pipeline.value()}, {"longest_stage", pass.longestStage.value()}};
}

} // namespace

Json toJson(const InferenceEstimate& e) {
    Json reasons = Json::array();
    for (const std::string& reason : e.reasons) reasons.push_back(reason);
    return {{"schema", "railyard.infer/1"},
            {"feasible", e.isFeasible()},
            {"reasons", reasons},
            {"model", e.request.model.id},
            {"gpus", e.gpus},
            {"parallelism", {{"tp", e.request.tensor}, {"pp", e.request.pipeline}, {"ep", e.request.expert}}},
            {"replicas", e.replicas},
            {"prefill_replicas", e.prefillReplicas},
            {"decode_replicas", e.decodeReplicas},
            {"prompt_tokens", e.request.promptTokens},
            {"output_tokens", e.request.outputTokens},
            {"precision", toText(e.request.precision)},
            {"batch_sequences", e.batch},
            {"most_sequences", e.mostSequences},
            {"time_to_first_token_s", e.timeToFirstToken.value()},
            {"time_per_output_token_s", e.timePerOutputToken.value()},
            {"requests_per_s", e.requestsPerSecond},
            {"output_tokens_per_s", e.tokensPerSecond()},
            {"output_tokens_per_s_per_gpu", e.tokensPerSecondPerGpu()},
            {"balanced_prefill_fraction", e.balancedPrefillShare},
            {"prefill_s", toJson(e.prefill)},
            {"decode_s", toJson(e.decode)},
            {"step_s", e.step.value()},
            {"cache_transfer_s", e.cacheTransfer.value()},
            {"memory_gib",
             {{"weights", e.memory.weights},
              {"cache", e.memory.cache},
              {"workspace", e.memory.workspace},
              {"total", e.memory.total()},
              {"capacity", e.memory.capacity > 0 ? Json(e.memory.capacity) : Json()}}},
            {"bytes_per_gpu_s",
             {{"tp", e.tensorBytesPerSecond},
              {"ep", e.expertBytesPerSecond},
              {"pp", e.pipelineBytesPerSecond},
              {"cache", e.cacheBytesPerSecond}}},
            {"time_low_ratio", e.low},
            {"time_high_ratio", e.high},
            {"calibrated", e.isCalibrated}};
}

Json toJson(const std::vector<InferenceEstimate>& curve) {
    Json points = Json::array();
    for (const InferenceEstimate& e : curve)
        points.push_back({{"batch_sequences", e.batch},
                          {"time_per_output_token_s", e.timePerOutputToken.value()},
                          {"output_tokens_per_s_per_gpu", e.tokensPerSecondPerGpu()},
                          {"requests_per_s", e.requestsPerSecond}});
    return points;
}

Json toJson(const ReinforcementEstimate& e) {
    Json reasons = Json::array();
    for (const std::string& reason : e.reasons) reasons.push_back(reason);
    return {{"schema", "railyard.rlhf/1"},
            {"feasible", e.reasons.empty()},
            {"reasons", reasons},
            {"iteration_s", e.iteration().value()},
            {"answers_per_s", e.answersPerSecond()},
            {"waves", e.waves},
            {"breakdown_s",
             {{"resharding", e.resharding.value()},
              {"generation", e.generating.value()},
              {"scoring", e.scoring.value()},
              {"training", e.updating.value()}}},
            {"exposed_network_s", e.onNetwork().value()},
            {"generation", toJson(e.generation)},
            {"training", toJson(e.training)}};
}

} // namespace railyard
