#include "core/inference/inference_parameters.h"

#include "core/workload/models_json.h"

#include <array>

namespace railyard {
namespace {

constexpr double million = 1e6, mostTokens = 1e7, mostGpus = 1'048'576;
constexpr std::array<std::string_view, 3> placementNames{"packed", "spread", "random"};
using Info = ParameterInfo;

namespace serving_field {
constexpr auto tensor = [](InferenceRequest & r) -> auto& { return r.tensor; };
constexpr auto pipeline = [](InferenceRequest & r) -> auto& { return r.pipeline; };
constexpr auto expert = [](InferenceRequest & r) -> auto& { return r.expert; };
constexpr auto gpus = [](InferenceRequest & r) -> auto& { return r.gpus; };
constexpr auto placement = [](InferenceRequest & r) -> auto& { return r.placement; };
constexpr auto precision = [](InferenceRequest & r) -> auto& { return r.precision; };
constexpr auto prompt = [](InferenceRequest & r) -> auto& { return r.promptTokens; };
constexpr auto output = [](InferenceRequest & r) -> auto& { return r.outputTokens; };
constexpr auto batch = [](InferenceRequest & r) -> auto& { return r.batch; };
constexpr auto prefillShare = [](InferenceRequest & r) -> auto& { return r.prefillShare; };
} // namespace serving_field

template <auto Field>
Parameter<InferenceRequest> number(Info info) {
    return numberParameter<InferenceRequest, Field>(std::move(info));
}

Status setModel(InferenceRequest& r, const std::string& text) {
    auto model = text.starts_with('{') ? modelFrom(text, "model") : modelOf(text);
    if (!model) return model.errors();
    r.model = std::move(*model);
    return Done{};
}

} // namespace

InferenceRequest usualInference() {
    InferenceRequest request;
    request.model = *modelOf("llama3-70b");
    return request;
}

std::span<const Parameter<InferenceRequest>> inferenceParameters() {
    static const std::vector<Parameter<InferenceRequest>> rows{
        {Info{.key = "model", .label = "Model", .help = "name of a known model, or FILE.json", .kind = Info::Kind::Text},
         [](const InferenceRequest& r) { return r.model.id; }, setModel},
        number<serving_field::tensor>({.key = "tp",
                                       .label = "Tensor parallel (TP)",
                                       .help = "tensor-parallel size",
                                       .high = million,
                                       .automatic = "GPUs of an HB domain, at most 8"}),
        number<serving_field::pipeline>(
            {.key = "pp", .label = "Pipeline stages (PP)", .help = "pipeline-parallel size (number of stages)", .low = 1, .high = million}),
        number<serving_field::expert>(
            {.key = "ep", .label = "Expert parallel (EP)", .help = "expert-parallel size", .low = 1, .high = million}),
        number<serving_field::gpus>({.key = "gpus",
                                     .label = "GPUs",
                                     .help = "GPUs that serve, the first ones of the placement",
                                     .high = mostGpus,
                                     .automatic = "all"}),
        choiceParameter<InferenceRequest, serving_field::placement, placementNames>(
            {.key = "placement",
             .label = "Placement",
             .help = "packed, spread or random servers",
             .kind = Info::Kind::Choice,
             .choices = {{"packed", "packed"}, {"spread", "spread over SUs"}, {"random", "random"}}}),
        choiceParameter<InferenceRequest, serving_field::precision, precisionNames>(
            {.key = "precision",
             .label = "Precision",
             .help = "precision of weights and matrix products: bf16 or fp8",
             .kind = Info::Kind::Choice,
             .choices = {{"bf16", "bf16"}, {"fp8", "fp8"}}}),
        number<serving_field::prompt>(
            {.key = "prompt", .label = "Prompt", .unit = "tokens", .help = "tokens of a prompt", .low = 1, .high = mostTokens}),
        number<serving_field::output>(
            {.key = "output", .label = "Answer", .unit = "tokens", .help = "tokens of an answer", .low = 1, .high = mostTokens}),
        number<serving_field::batch>({.key = "batch",
                                      .label = "Batch of a replica",
                                      .unit = "sequences",
                                      .help = "sequences that a replica decodes at once",
                                      .high = million,
                                      .automatic = "as many as fit, at most 256"}),
        number<serving_field::prefillShare>(
            {.key = "prefill_share",
             .label = "Prefill share",
             .help = "share of the replicas that only work on prompts and send their keys and values to the others; 0: every replica does "
                     "both",
             .kind = Info::Kind::Real,
             .low = 0,
             .high = 0.999}),
    };
    return rows;
}

} // namespace railyard
