#include "core/inference/reinforcement.h"

#include "core/training/job_times.h"

#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

std::int64_t dividedUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// A forward pass of all micro-batches through all stages, with the messages of a stage and between stages.
Result<Seconds> forwardOf(const Fabric& fabric, const ReinforcementRequest& request, const TrainingCalibration& calibration) {
    PlacedGroups groups(fabric, request.training.gpus, calibration.collectives);
    const auto times = JobTimes::of(fabric, request.training, request.plan, groups, calibration);
    if (!times) return times.errors();
    const auto passes = (*times)->iteration().passesOfStages(request.plan.overlapTensor);
    const auto boundary = (*times)->iteration().boundary();
    if (!passes || !boundary) return passes ? boundary.errors() : passes.errors();
    Seconds longest, all;
    for (const Iteration::Passes& each : *passes) {
        longest = std::max(longest, each.forward);
        all += each.forward;
    }
    const auto m = static_cast<double>(request.training.job.microBatches());
    const auto waits = m + static_cast<double>(passes->size()) - 1;
    return longest * (m - 1) + all + (passes->size() > 1 ? waits * *boundary : Seconds());
}

// Training spreads the weights over tp × pp GPUs, generation over fewer: those that will hold the same part gather it from one another.
Result<Seconds> reshardingOf(const Fabric& fabric, const ReinforcementRequest& request, const InferenceEstimate& generation) {
    const TrainingJob& job = request.training.job;
    const std::int64_t apart = job.by(Parallel::Tensor) * job.by(Parallel::Pipeline),
                       together = generation.request.tensor * generation.request.pipeline, sharing = apart / together;
    if (sharing < 2) return Seconds();
    const std::vector<std::int64_t> ranks = groupOf(job, 0, {Parallel::Tensor, Parallel::Pipeline});
    std::vector<DeviceId> gpus;
    for (std::int64_t i = 0; i < sharing; ++i)
        gpus.push_back(request.training.gpus[static_cast<std::size_t>(ranks[static_cast<std::size_t>(i * together)])]);
    const auto group = Communicator::of(fabric, gpus);
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
    generation.precision = request.plan.precision;
    generation.promptTokens = request.promptTokens;
    generation.outputTokens = request.outputTokens;
    generation.batch = request.generationBatch;
    generation.gpus = job.gpus();
    generation.heldGib = training.memory.parameters + training.memory.gradients + training.memory.optimizer;
    return generation;
}

} // namespace

Seconds ReinforcementEstimate::onNetwork() const {
    const auto answers = static_cast<double>(std::min(generation.batch, training.job.globalBatch));
    const Seconds ofWave = answers * (generation.prefill.longestStage * generation.prefill.networkShare()) +
                           static_cast<double>(request.outputTokens) * (generation.decode.total() * generation.decode.networkShare());
    return resharding + static_cast<double>(waves) * ofWave + training.breakdown.exposed();
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
    const std::int64_t answers = request.training.job.globalBatch, ofReplica = dividedUp(answers, generation->replicas);
    if (generation->batch > ofReplica) { // a replica never has more than its share
        asked.batch = ofReplica;
        generation = estimateInference(fabric, asked, request.training.gpus, calibration);
        if (!generation) return generation.errors();
    }
    e.generation = std::move(*generation);
    e.waves = dividedUp(ofReplica, e.generation.batch);
    e.generating = static_cast<double>(e.waves) * (static_cast<double>(e.generation.batch) * e.generation.prefill.longestStage +
                                                   static_cast<double>(request.outputTokens) * e.generation.decode.total());
    const auto forward = forwardOf(fabric, request, calibration);
    if (!forward) return forward.errors();
    e.scoring = static_cast<double>(request.scoringModels) * *forward;
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
