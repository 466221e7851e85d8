#include "core/inference/reinforcement.h"

#include "core/training/job_times.h"

#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

std::int64_t dividedUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

struct Scoring {
    Seconds time, messages; // of one model
};
// A forward pass of all micro-batches through all stages, with the messages of a stage and between stages.
Result<Scoring> scoringOf(const Fabric& fabric, const ReinforcementRequest& request, const TrainingCalibration& calibration) {
    PlacedGroups groups(fabric, request.training.gpus, calibration.collectives);
    const auto times = JobTimes::create(fabric, request.training, request.plan, groups, calibration);
    if (!times) return times.errors();
    const auto passes = (*times)->iteration().passesOfStages(request.plan.overlapTensor);
    const auto boundary = (*times)->iteration().boundary();
    if (!passes || !boundary) return passes ? boundary.errors() : passes.errors();
    const auto m = static_cast<double>(request.training.job.microBatches());
    const auto longest =
        std::max_element(passes->begin(), passes->end(), [](const auto& a, const auto& b) { return a.forward < b.forward; });
    Scoring scoring{longest->forward * (m - 1), longest->forwardMessages * (m - 1)};
    for (const Iteration::Passes& each : *passes) {
        scoring.time += each.forward;
        scoring.messages += each.forwardMessages;
    }
    const auto stages = static_cast<double>(passes->size());
    const Seconds between = stages > 1 ? (m + stages - 1) * *boundary : Seconds();
    scoring.time += between;
    scoring.messages += between;
    return scoring;
}

bool isSameLayout(const TrainingJob& job, const ReinforcementRequest& request) {
    const std::int64_t tensor = request.generationTensor > 0 ? request.generationTensor : job.by(Parallel::Tensor);
    return job.zero < 3 && tensor == job.by(Parallel::Tensor) && request.generationPipeline == job.by(Parallel::Pipeline);
}

// A GPU needs parts of the weights that others have: of layers that are divided less in generation, of other stages, and with ZeRO 3 of
// all replicas. It gathers them from as many GPUs.
Result<Seconds> reshardingOf(const Fabric& fabric, const ReinforcementRequest& request, const InferenceEstimate& generation) {
    const TrainingJob& job = request.training.job;
    if (isSameLayout(job, request)) return Seconds();
    const auto times = [](std::int64_t before, std::int64_t after) { return std::max<std::int64_t>(1, dividedUp(before, after)); };
    std::vector<Parallel> over{Parallel::Tensor, Parallel::Pipeline};
    std::int64_t sharing =
        times(job.by(Parallel::Tensor), generation.request.tensor) * times(job.by(Parallel::Pipeline), generation.request.pipeline);
    if (job.zero >= 3) {
        over = {Parallel::Tensor, Parallel::Context, Parallel::Data, Parallel::Pipeline};
        sharing *= job.by(Parallel::Context) * job.by(Parallel::Data);
    }
    if (sharing < 2) return Seconds();
    const std::vector<std::int64_t> ranks = groupOf(job, 0, over);
    const std::size_t each = ranks.size() / static_cast<std::size_t>(sharing);
    std::vector<DeviceId> gpus;
    for (std::size_t i = 0; i < static_cast<std::size_t>(sharing) && i * each < ranks.size(); ++i)
        gpus.push_back(request.training.gpus[static_cast<std::size_t>(ranks[i * each])]);
    const auto group = Communicator::create(fabric, gpus, shippedCalibration(), {.graph = nullptr, .isKept = true});
    if (!group) return group.errors();
    const auto time = group->time(CollectiveOp::AllGather, Bytes(std::llround(generation.memory.weights * (1 << 30))));
    if (!time) return time.errors();
    return time->best.time;
}

InferenceRequest generationOf(const ReinforcementRequest& request, const TrainingEstimate& training) {
    const TrainingJob& job = request.training.job;
    InferenceRequest generation;
    generation.model = job.model;
    generation.tensor = request.generationTensor > 0 ? request.generationTensor : job.by(Parallel::Tensor);
    generation.pipeline = request.generationPipeline;
    generation.expert = job.by(Parallel::Expert);
    generation.precision = job.precision;
    generation.promptTokens = request.promptTokens;
    generation.outputTokens = request.outputTokens;
    generation.batch = request.generationBatch;
    generation.gpus = job.gpus();
    generation.heldGib = training.memory.gradients + training.memory.optimizer;
    if (!isSameLayout(job, request)) generation.heldGib += training.memory.parameters; // a second copy
    return generation;
}

} // namespace

Seconds ReinforcementEstimate::onNetwork() const {
    const Seconds prompts = static_cast<double>(answersOfReplica) * (generation.prefill.longestStage * generation.prefill.networkShare()),
                  tokens = static_cast<double>(waves * request.outputTokens) * (generation.step * generation.decode.networkShare());
    return resharding + prompts + tokens + scoringMessages + training.breakdown.exposed();
}

Result<ReinforcementEstimate> estimateReinforcement(const Fabric& fabric, ReinforcementRequest request,
                                                    const TrainingCalibration& calibration) {
    request.training.job.model.sequenceTokens = request.promptTokens + request.outputTokens;
    ReinforcementEstimate e;
    auto training = estimateTraining(fabric, request.training, request.plan, calibration);
    if (!training) return training.errors();
    e.training = std::move(*training);
    InferenceRequest asked = generationOf(request, e.training);
    auto generation = estimateInference(fabric, asked, request.training.gpus, calibration);
    if (!generation) return generation.errors();
    // As few waves as fit, of the same size.
    e.answersOfReplica = dividedUp(request.training.job.globalBatch, generation->replicas);
    e.waves = dividedUp(e.answersOfReplica, generation->batch);
    asked.batch = dividedUp(e.answersOfReplica, e.waves);
    if (generation->batch != asked.batch) generation = estimateInference(fabric, asked, request.training.gpus, calibration);
    if (!generation) return generation.errors();
    e.generation = std::move(*generation);
    const auto untilSlowest = [&](Seconds time, double networkShare) { // the slowest replica ends it
        return time * (networkShare + (1 - networkShare) * e.training.expectedSlowdown);
    };
    e.generating =
        static_cast<double>(e.answersOfReplica) * untilSlowest(e.generation.prefill.longestStage, e.generation.prefill.networkShare()) +
        static_cast<double>(e.waves * request.outputTokens) * untilSlowest(e.generation.step, e.generation.decode.networkShare());
    const auto scoring = scoringOf(fabric, request, calibration);
    if (!scoring) return scoring.errors();
    e.scoring = static_cast<double>(request.scoringModels) * scoring->time;
    e.scoringMessages = static_cast<double>(request.scoringModels) * scoring->messages;
    e.updating = e.training.iteration;
    const auto resharding = reshardingOf(fabric, request, e.generation);
    if (!resharding) return resharding.errors();
    e.resharding = *resharding;
    for (const std::string& reason : e.training.reasons) e.reasons.push_back("training: " + reason);
    for (const std::string& reason : e.generation.reasons) e.reasons.push_back("generation: " + reason);
    e.request = std::move(request);
    return e;
}

} // namespace railyard
