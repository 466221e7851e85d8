#include "core/training/training_plan.h"

namespace railyard {

TrainingPlan withoutOverlap(TrainingPlan plan) {
    plan.overlapsData = plan.overlapsExperts = false;
    plan.overlapTensor = TensorOverlap::None;
    return plan;
}

IterationSchedule scheduleOf(const TrainingJob& job, const TrainingPlan& plan) {
    return {job.interleave, job.zero, plan.overlapsData, plan.overlapTensor, plan.offload};
}

Seconds TrainingBreakdown::total() const { return forward + backward + recompute + exposed() + bubble + optimizer + offload; }

double TrainingEstimate::tokensPerSecond() const {
    return static_cast<double>(job.globalBatch) * static_cast<double>(job.model.sequenceTokens) / iteration.value();
}

double TrainingEstimate::days() const { return plan.tokens / tokensPerSecond() / 86400; }

double TrainingEstimate::modelShare() const { return modelFlops / (static_cast<double>(job.gpus()) * peakFlops * iteration.value()); }

double TrainingEstimate::hardwareShare() const { return hardwareFlops / (static_cast<double>(job.gpus()) * peakFlops * iteration.value()); }

Seconds TrainingEstimate::exposedOnNetwork() const {
    const std::pair<Parallel, Seconds> kinds[] = {{Parallel::Tensor, breakdown.tensor},
                                                  {Parallel::Pipeline, breakdown.pipeline},
                                                  {Parallel::Data, breakdown.data},
                                                  {Parallel::Context, breakdown.context},
                                                  {Parallel::Expert, breakdown.expert}};
    Seconds sum;
    for (const auto& [kind, time] : kinds)
        if (crossesNics[static_cast<std::size_t>(kind)]) sum += time;
    return sum;
}

Seconds TrainingEstimate::exposedInDomains() const { return breakdown.exposed() - exposedOnNetwork(); }

} // namespace railyard
