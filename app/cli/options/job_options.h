// The options that define a training job; the same as those of `train`.
#pragma once

#include "app/cli/options/arguments.h"
#include "app/cli/options/kind_options.h"
#include "core/training/training_plan.h"
#include "core/workload/job_traffic.h"
#include "core/workload/usual_job.h"

namespace railyard::cli {

struct JobOptions {
    std::string model = "llama3-70b", rankOrder = "tp-cp-ep-dp-pp", recompute = "none", pipelineScatter = "on", order = "near";
    std::optional<std::int64_t> tensor, data, globalBatch;
    std::optional<std::int64_t> gpus; // the first ones of the placement
    std::string placement = "packed";
    std::int64_t pipeline = 1, context = 1, expert = 1, microBatch = 1, interleave = 1;
    int zero = 1, gradientBytes = 4;
    // How the job is run; the traffic does not depend on it, but all verbs take the same options.
    std::string sequenceParallel = "on", overlapData = "on", overlapTensor = "none", offload = "none", precision = "bf16";
    double tokens = 300e9, gateSkew = 1, straggler = 1;

    static constexpr std::string_view kind = "training";
    void addTo(CLI::App& verb, KindOptions& options, const std::vector<std::string>& kinds); // `kinds` of the verb use them
    // --gpus, unless the verb has one of its own, and --placement.
    std::vector<CLI::Option*> addGpusTo(CLI::App& verb);
    TrainingPlan plan() const;
    Result<TrainingJob> job() const; // 0 for options that are not given
    // Options that are not given follow from the design: tensor parallelism within an HB domain, data parallelism over the remaining
    // GPUs, four micro-batches per pipeline stage.
    Result<PlacedJob> placed(const Fabric& fabric, std::uint64_t seed) const;
    Result<JobTraffic> traffic(const Fabric& fabric, std::uint64_t seed) const;
    // Of the placement, as many as were asked for.
    Result<std::vector<DeviceId>> gpusOn(const Fabric& fabric, std::uint64_t seed) const;
    // The same on these GPUs, in this order.
    Result<PlacedJob> placedOn(const Fabric& fabric, std::vector<DeviceId> exactly) const;
};

} // namespace railyard::cli
