#include "core/training/job_parameters.h"

#include "core/training/slow_servers.h"
#include "core/workload/models_json.h"

#include <array>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr double million = 1e6;
constexpr double mostSequences = 1099511627776.0; // 2^40
constexpr double mostGpus = 1'048'576;
constexpr std::array<std::string_view, 2> onOff{"off", "on"};
constexpr std::array<std::string_view, 2> attentionNames{"unfused", "fused"};
constexpr std::array<std::string_view, 3> placementNames{"packed", "spread", "random"};
constexpr std::array<std::string_view, 4> zeroNames{"0", "1", "2", "3"};

using Info = ParameterInfo;

// The fields of a request. A namespace of their own, because their names are those of locals elsewhere.
namespace job_field {
constexpr auto tensor = [](JobRequest & r) -> auto& { return r.planned.job.degrees[static_cast<std::size_t>(Parallel::Tensor)]; };
constexpr auto pipeline = [](JobRequest & r) -> auto& { return r.planned.job.degrees[static_cast<std::size_t>(Parallel::Pipeline)]; };
constexpr auto data = [](JobRequest & r) -> auto& { return r.planned.job.degrees[static_cast<std::size_t>(Parallel::Data)]; };
constexpr auto context = [](JobRequest & r) -> auto& { return r.planned.job.degrees[static_cast<std::size_t>(Parallel::Context)]; };
constexpr auto expert = [](JobRequest & r) -> auto& { return r.planned.job.degrees[static_cast<std::size_t>(Parallel::Expert)]; };
constexpr auto sequenceParallel = [](JobRequest & r) -> auto& { return r.planned.job.isSequenceParallel; };
constexpr auto microBatch = [](JobRequest & r) -> auto& { return r.planned.job.microBatch; };
constexpr auto globalBatch = [](JobRequest & r) -> auto& { return r.planned.job.globalBatch; };
constexpr auto interleave = [](JobRequest & r) -> auto& { return r.planned.job.interleave; };
constexpr auto recompute = [](JobRequest & r) -> auto& { return r.planned.job.recompute; };
constexpr auto zero = [](JobRequest & r) -> auto& { return r.planned.job.zero; };
constexpr auto pipelineScatter = [](JobRequest & r) -> auto& { return r.planned.job.isPipelineScattered; };
constexpr auto gradientBytes = [](JobRequest & r) -> auto& { return r.planned.job.gradientBytes; };
constexpr auto attentionFused = [](JobRequest & r) -> auto& { return r.planned.job.isAttentionFused; };
constexpr auto overlapData = [](JobRequest & r) -> auto& { return r.planned.plan.overlapsData; };
constexpr auto overlapTensor = [](JobRequest & r) -> auto& { return r.planned.plan.overlapTensor; };
constexpr auto offload = [](JobRequest & r) -> auto& { return r.planned.plan.offload; };
constexpr auto precision = [](JobRequest & r) -> auto& { return r.planned.job.precision; };
constexpr auto dispatch = [](JobRequest & r) -> auto& { return r.planned.job.dispatch; };
constexpr auto overlapExperts = [](JobRequest & r) -> auto& { return r.planned.plan.overlapsExperts; };
constexpr auto tokens = [](JobRequest & r) -> auto& { return r.planned.plan.tokens; };
constexpr auto gateSkew = [](JobRequest & r) -> auto& { return r.planned.plan.gateSkew; };
constexpr auto straggler = [](JobRequest & r) -> auto& { return r.planned.plan.straggler; };
constexpr auto gpus = [](JobRequest & r) -> auto& { return r.gpus; };
constexpr auto placement = [](JobRequest & r) -> auto& { return r.placement; };
constexpr auto perDomain = [](JobRequest & r) -> auto& { return r.perDomain; };
} // namespace job_field

template <auto Field>
Parameter<JobRequest> number(Info info) {
    return numberParameter<JobRequest, Field>(std::move(info));
}
template <auto Field, const auto& names>
Parameter<JobRequest> choice(Info info) {
    return choiceParameter<JobRequest, Field, names>(std::move(info));
}

// A shipped model, or the content of a file; never the file itself, which the document would lose.
Status setModel(JobRequest& r, const std::string& text) {
    if (!text.starts_with('{') && text.ends_with(".json"))
        return Error::parameter(Error::Kind::Usage, "choice", "model", text, "must be a known model or the content of a model file");
    auto model = text.starts_with('{') ? modelFrom(text, "model") : modelOf(text);
    if (!model) return model.errors();
    r.model = text;
    r.planned.job.model = std::move(*model);
    return Done{};
}

Status setRankOrder(JobRequest& r, const std::string& text) {
    const auto order = TrainingJob::rankOrderFrom(text);
    if (!order)
        return Error::parameter(Error::Kind::Usage, "range", "rank_order", text,
                                "must contain tp, cp, ep, dp and pp once each, innermost first, for example tp-cp-ep-dp-pp");
    r.planned.job.rankOrder = *order;
    return Done{};
}
std::string rankOrderText(const JobRequest& r) {
    std::string text;
    for (const Parallel each : r.planned.job.rankOrder) text += (text.empty() ? "" : "-") + std::string(toText(each));
    return text;
}

std::vector<ParameterChoice> onOrOff() { return {{"off", "off"}, {"on", "on"}}; }
std::vector<ParameterChoice> knownModels() {
    std::vector<ParameterChoice> models;
    for (const TransformerModel& model : shippedModels())
        if (model.unknown.empty()) models.push_back({model.id, model.name});
    return models;
}

Status setSlow(JobRequest& r, const std::string& text) {
    auto slow = slowServersFrom(text);
    if (!slow) return slow.errors();
    r.planned.plan.slow = std::move(*slow);
    return Done{};
}

constexpr std::string_view jobGroup = "Job", parallelismGroup = "Parallelism", scheduleGroup = "Batch and schedule", memoryGroup = "Memory",
                           assumptionGroup = "Assumptions";
using Rows = std::vector<Parameter<JobRequest>>;

Rows jobRows() {
    return {
        {Info{.key = "model",
              .label = "Model",
              .help = "name of a known model, or FILE.json",
              .kind = Info::Kind::Text,
              .choices = knownModels(),
              .group = jobGroup},
         [](const JobRequest& r) { return r.model; }, setModel},
        number<job_field::gpus>({.key = "gpus",
                                 .label = "GPUs",
                                 .help = "GPUs of the job, the first ones of the placement",
                                 .high = mostGpus,
                                 .automatic = "all",
                                 .automaticLabel = "all",
                                 .group = jobGroup}),
        choice<job_field::placement, placementNames>(
            {.key = "placement",
             .label = "Placement",
             .help = "servers of the job: packed, spread or random",
             .kind = Info::Kind::Choice,
             .choices = {{"packed", "packed"}, {"spread", "spread over SUs"}, {"random", "random"}},
             .group = jobGroup}),
        number<job_field::perDomain>({.key = "per_domain",
                                      .label = "GPUs per HB domain",
                                      .help = "GPUs of each HB domain that the job uses",
                                      .high = mostGpus,
                                      .automatic = "all, or as many as keep every tp · cp · ep group inside one",
                                      .automaticLabel = "automatic",
                                      .group = jobGroup}),
        number<job_field::tokens>({.key = "tokens",
                                   .label = "Tokens of the run",
                                   .help = "tokens of the whole training run, for example 300e9",
                                   .kind = Info::Kind::Real,
                                   .low = 1,
                                   .high = 1e18,
                                   .group = jobGroup}),
        choice<job_field::precision, precisionNames>({.key = "precision",
                                                      .label = "Precision",
                                                      .help = "precision of matrix products: bf16, fp8 or fp4",
                                                      .kind = Info::Kind::Choice,
                                                      .choices = {{"bf16", "bf16"}, {"fp8", "fp8"}, {"fp4", "fp4"}},
                                                      .group = jobGroup}),
    };
}

Rows parallelismRows() {
    return {
        number<job_field::tensor>({.key = "tp",
                                   .label = "Tensor parallel (TP)",
                                   .help = "tensor-parallel size",
                                   .high = million,
                                   .automatic = "GPUs of an HB domain, at most 8",
                                   .automaticLabel = "automatic",
                                   .group = parallelismGroup,
                                   .shortLabel = "TP"}),
        number<job_field::pipeline>({.key = "pp",
                                     .label = "Pipeline stages (PP)",
                                     .help = "pipeline-parallel size (number of stages)",
                                     .low = 1,
                                     .high = million,
                                     .group = parallelismGroup,
                                     .shortLabel = "PP"}),
        number<job_field::data>({.key = "dp",
                                 .label = "Data parallel (DP)",
                                 .help = "data-parallel size",
                                 .high = million,
                                 .automatic = "all remaining ranks",
                                 .automaticLabel = "automatic",
                                 .group = parallelismGroup,
                                 .shortLabel = "DP"}),
        number<job_field::context>({.key = "cp",
                                    .label = "Context parallel (CP)",
                                    .help = "context-parallel size",
                                    .low = 1,
                                    .high = million,
                                    .group = parallelismGroup,
                                    .shortLabel = "CP"}),
        number<job_field::expert>({.key = "ep",
                                   .label = "Expert parallel (EP)",
                                   .help = "expert-parallel size",
                                   .low = 1,
                                   .high = million,
                                   .group = parallelismGroup,
                                   .shortLabel = "EP"}),
        choice<job_field::sequenceParallel, onOff>({.key = "sequence_parallel",
                                                    .label = "Sequence parallel",
                                                    .help = "sequence parallelism where tp > 1, on or off",
                                                    .kind = Info::Kind::Switch,
                                                    .choices = onOrOff(),
                                                    .group = parallelismGroup}),
        {Info{.key = "rank_order",
              .label = "Rank order",
              .help = "order of the parallel dimensions, innermost first",
              .kind = Info::Kind::Text,
              .group = parallelismGroup},
         rankOrderText, setRankOrder},
    };
}

Rows scheduleRows() {
    return {
        number<job_field::microBatch>({.key = "micro_batch",
                                       .label = "Micro-batch",
                                       .unit = "sequences",
                                       .help = "sequences per micro-batch",
                                       .low = 1,
                                       .high = million,
                                       .group = scheduleGroup}),
        number<job_field::globalBatch>({.key = "global_batch",
                                        .label = "Global batch",
                                        .unit = "sequences",
                                        .help = "sequences per iteration",
                                        .high = mostSequences,
                                        .automatic = "four micro-batches per pipeline stage and replica",
                                        .automaticLabel = "automatic",
                                        .group = scheduleGroup}),
        number<job_field::interleave>({.key = "interleave",
                                       .label = "Chunks per stage",
                                       .help = "model chunks per pipeline stage",
                                       .low = 1,
                                       .high = million,
                                       .group = scheduleGroup}),
        choice<job_field::recompute, recomputeNames>(
            {.key = "recompute",
             .label = "Recomputation",
             .help = "activation recomputation, none, selective, full or gemm-last",
             .kind = Info::Kind::Choice,
             .choices = {{"none", "none"}, {"selective", "selective"}, {"full", "full"}, {"gemm-last", "between products"}},
             .group = scheduleGroup}),
        choice<job_field::attentionFused, attentionNames>({.key = "attention",
                                                           .label = "Attention",
                                                           .help = "fused (no scores in memory) or unfused, as Megatron-LM before mid-2022",
                                                           .kind = Info::Kind::Choice,
                                                           .choices = {{"fused", "fused"}, {"unfused", "unfused"}},
                                                           .group = scheduleGroup}),
        choice<job_field::overlapData, onOff>({.key = "overlap_dp",
                                               .label = "Overlap of DP",
                                               .help = "overlap gradients with the backward pass, on or off",
                                               .kind = Info::Kind::Switch,
                                               .choices = onOrOff(),
                                               .group = scheduleGroup}),
        choice<job_field::overlapTensor, tensorOverlapNames>(
            {.key = "overlap_tp",
             .label = "Overlap of TP",
             .help = "overlap of tensor-parallel communication: none, pipeline or bulk",
             .kind = Info::Kind::Choice,
             .choices = {{"none", "none"}, {"pipeline", "pipeline (split products)"}, {"bulk", "bulk"}},
             .group = scheduleGroup}),
        choice<job_field::overlapExperts, onOff>({.key = "overlap_ep",
                                                  .label = "Overlap of EP",
                                                  .help = "overlap expert traffic with the other half of a split micro-batch, on or off",
                                                  .kind = Info::Kind::Switch,
                                                  .choices = onOrOff(),
                                                  .group = scheduleGroup}),
        choice<job_field::dispatch, expertDispatchNames>(
            {.key = "ep_dispatch",
             .label = "Dispatch to experts",
             .help = "domain (one copy of a token for each HB domain that holds one of its experts) or expert (one for each expert)",
             .kind = Info::Kind::Choice,
             .choices = {{"domain", "one copy per HB domain"}, {"expert", "one copy per expert"}},
             .group = scheduleGroup}),
        choice<job_field::pipelineScatter, onOff>(
            {.key = "pp_scatter",
             .label = "Scatter between stages",
             .help = "scatter the tensors between pipeline stages over the tensor-parallel ranks, on or off",
             .kind = Info::Kind::Switch,
             .choices = onOrOff(),
             .group = scheduleGroup}),
    };
}

Rows memoryRows() {
    return {
        choice<job_field::zero, zeroNames>({.key = "zero",
                                            .label = "ZeRO stage",
                                            .help = "ZeRO stage, 0 to 3",
                                            .kind = Info::Kind::Choice,
                                            .choices = {{"0", "0"}, {"1", "1"}, {"2", "2"}, {"3", "3"}},
                                            .group = memoryGroup}),
        choice<job_field::offload, offloadNames>({.key = "offload",
                                                  .label = "Offload to the host",
                                                  .help = "what is kept in the memory of the host: none, optimizer or activations",
                                                  .kind = Info::Kind::Choice,
                                                  .choices = {{"none", "none"}, {"optimizer", "optimizer"}, {"activations", "activations"}},
                                                  .group = memoryGroup}),
        number<job_field::gradientBytes>({.key = "grad_bytes",
                                          .label = "Bytes per gradient",
                                          .help = "bytes per gradient, 2 or 4",
                                          .kind = Info::Kind::Choice,
                                          .choices = {{"2", "2"}, {"4", "4"}},
                                          .group = memoryGroup}),
        number<job_field::gateSkew>({.key = "gate_skew",
                                     .label = "Gate skew",
                                     .help = "tokens of the busiest expert / mean",
                                     .kind = Info::Kind::Real,
                                     .low = 1,
                                     .high = million,
                                     .group = assumptionGroup}),
        number<job_field::straggler>({.key = "straggler",
                                      .label = "Straggler slowdown",
                                      .help = "slowdown of the slowest GPU, in addition to expected stragglers",
                                      .kind = Info::Kind::Real,
                                      .low = 1,
                                      .high = million,
                                      .group = assumptionGroup}),
        {Info{.key = "slow",
              .label = "Slow servers",
              .help = "slow servers and their time / that of others, for example su[1]/srv[3]=1.2; may be repeated",
              .kind = Info::Kind::Text,
              .group = assumptionGroup,
              .isList = true},
         [](const JobRequest& r) { return toText(r.planned.plan.slow); }, setSlow},
    };
}

Rows allRows() {
    Rows all;
    for (const auto group : {jobRows, parallelismRows, scheduleRows, memoryRows})
        for (Parameter<JobRequest>& row : group()) all.push_back(std::move(row));
    return all;
}

} // namespace

JobRequest usualRequest() {
    JobRequest request;
    request.planned.job = usualJob(*modelOf(request.model));
    return request;
}

std::span<const Parameter<JobRequest>> jobParameters() {
    static const std::vector<Parameter<JobRequest>> rows = allRows();
    return rows;
}

} // namespace railyard
