#include "core/io/results/training_json.h"

#include "core/training/memory.h"

#include <cmath>

namespace railyard {

namespace {

Json degreesOf(const TrainingJob& job) {
    Json degrees;
    for (const Parallel each : {Parallel::Tensor, Parallel::Pipeline, Parallel::Data, Parallel::Context, Parallel::Expert})
        degrees[std::string(toText(each))] = each == Parallel::Expert ? job.expertRanks() : job.by(each);
    degrees["expert_dp"] = job.expertReplicas();
    return degrees;
}

Json layersByStage(const TrainingJob& job) {
    Json layers = Json::array();
    for (const StageContent& stage : contentOfStages(job)) layers.push_back(stage.layers);
    return layers;
}

} // namespace

Json toJson(const TrainingEstimate& estimate) {
    const TrainingJob& job = estimate.job;
    Json bytes;
    for (const Parallel each : {Parallel::Tensor, Parallel::Pipeline, Parallel::Data, Parallel::Context, Parallel::Expert})
        bytes[std::string(toText(each))] = estimate.bytesPerGpu[static_cast<std::size_t>(each)];
    bytes["hb"] = estimate.hbBytesPerGpu;
    bytes["nic"] = estimate.nicBytesPerGpu;
    const TrainingMemory& memory = estimate.memory;
    const TrainingBreakdown& parts = estimate.breakdown;
    Json reasons = Json::array();
    for (const std::string& reason : estimate.reasons) reasons.push_back(reason);
    return {
        {"schema", "railyard.train/1"},
        {"feasible", estimate.isFeasible()},
        {"reasons", reasons},
        {"model", job.model.id},
        {"gpus", job.gpus()},
        {"parallelism", degreesOf(job)},
        {"layers_by_stage", layersByStage(job)},
        {"micro_batch_sequences", job.microBatch},
        {"global_batch_sequences", job.globalBatch},
        {"interleave", job.interleave},
        {"recompute", toText(job.recompute)},
        {"zero", job.zero},
        {"sequence_parallel", job.dividesSequence()},
        {"overlap_dp", estimate.plan.overlapsData},
        {"overlap_tp", toText(estimate.plan.overlapTensor)},
        {"offload", toText(estimate.plan.offload)},
        {"precision", toText(estimate.job.precision)},
        {"iteration_s", estimate.iteration.value()},
        {"iteration_low_s", estimate.low.value()},
        {"iteration_high_s", estimate.high.value()},
        {"iteration_p50_s", estimate.median.value()},
        {"iteration_p99_s", estimate.percentile99.value()},
        {"calibration", estimate.calibration},
        {"calibrated", estimate.isCalibrated},
        {"expected_straggler_time_ratio", estimate.expectedSlowdown},
        {"tokens_per_s", estimate.tokensPerSecond()},
        {"tokens", estimate.plan.tokens},
        {"days", estimate.days()},
        {"parameters", estimate.parameters > 0 ? Json(std::llround(estimate.parameters)) : Json()},
        {"model_flops", estimate.modelFlops},
        {"hardware_flops", estimate.hardwareFlops},
        {"mfu_fraction", estimate.modelShare()},
        {"hfu_fraction", estimate.hardwareShare()},
        {"tflops_per_gpu", estimate.modelShare() * estimate.peakFlops / 1e12},
        {"exposed_network_fraction", estimate.exposedOnNetwork() / estimate.iteration},
        {"exposed_hb_fraction", estimate.exposedInDomains() / estimate.iteration},
        {"longest_sequence_tokens", estimate.longestSequence},
        {"memory_gib",
         {{"parameters", memory.parameters},
          {"gradients", memory.gradients},
          {"optimizer", memory.optimizer},
          {"activations", memory.activations},
          {"workspace", memory.workspace},
          {"total", memory.total()},
          {"capacity", memory.capacity > 0 ? Json(memory.capacity) : Json()},
          {"host", memory.host},
          {"host_capacity", memory.hostCapacity > 0 ? Json(memory.hostCapacity) : Json()}}},
        {"placement",
         {{"domains", estimate.alignment.domains},
          {"gpus_per_domain", estimate.alignment.gpusPerDomain},
          {"straddling_groups", estimate.alignment.straddlingGroups}}},
        {"breakdown_s",
         {{"forward", parts.forward.value()},
          {"backward", parts.backward.value()},
          {"recompute", parts.recompute.value()},
          {"tp_exposed", parts.tensor.value()},
          {"pp_exposed", parts.pipeline.value()},
          {"dp_exposed", parts.data.value()},
          {"cp_exposed", parts.context.value()},
          {"ep_exposed", parts.expert.value()},
          {"bubble", parts.bubble.value()},
          {"optimizer", parts.optimizer.value()},
          {"offload_exposed", parts.offload.value()}}},
        {"bytes_per_gpu", bytes},
    };
}

Json toJson(const SearchPoint& point) {
    return {{"gpus", point.job.gpus()},
            {"parallelism", degreesOf(point.job)},
            {"micro_batch_sequences", point.job.microBatch},
            {"interleave", point.schedule.interleave},
            {"recompute", toText(point.job.recompute)},
            {"zero", point.schedule.zero},
            {"overlap_dp", point.schedule.overlapsData},
            {"overlap_tp", toText(point.schedule.overlapTensor)},
            {"offload", toText(point.schedule.offload)},
            {"iteration_s", point.iteration.value()},
            {"memory_gib", point.memoryGib}};
}

Json toJson(const TrainingCurve& curve) {
    Json points = Json::array();
    for (const TrainingPoint& point : curve.points)
        points.push_back({{"x", point.x},
                          {"estimate", point.estimate ? toJson(*point.estimate) : Json()},
                          {"why", point.why.empty() ? Json() : Json(point.why)}});
    return {{"over", toText(curve.axis)}, {"points", points}};
}

Json toJson(const std::vector<CalibrationCheck>& checks) {
    Json rows = Json::array();
    for (const CalibrationCheck& each : checks)
        rows.push_back({{"what", each.what},
                        {"measurements", each.count},
                        {"built_in_mean_error_fraction", each.meanError},
                        {"built_in_worst_error_fraction", each.worstError},
                        {"worst", each.worst}});
    return rows;
}

Json toJson(const std::vector<JobOnCluster>& jobs) {
    Json list = Json::array();
    for (const JobOnCluster& job : jobs)
        list.push_back({{"name", job.name},
                        {"slowdown", job.slowdown()},
                        {"worst_slowdown", job.worstSlowdown()},
                        {"alone", toJson(job.alone)},
                        {"expected", toJson(job.expected)},
                        {"worst", toJson(job.worst)}});
    return {{"schema", "railyard.train-jobs/1"}, {"jobs", list}};
}

Json toJson(const RunCost& cost) {
    const auto known = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
    return {{"energy_kwh", known(cost.energyKwh)}, {"energy_usd", known(cost.energyUsd)}, {"space_usd", known(cost.spaceUsd)},
            {"hardware_usd", cost.hardwareUsd},    {"total_usd", known(cost.totalUsd())}, {"unpriced_lines", cost.unpricedLines}};
}

} // namespace railyard
