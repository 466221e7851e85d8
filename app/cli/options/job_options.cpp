#include "app/cli/options/job_options.h"

#include "core/base/unit_text.h"
#include "core/collective/collective.h"
#include "core/io/imports/rank_list.h"
#include "core/training/job_request.h"
#include "core/workload/models_json.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard::cli {
namespace {

template <std::size_t count>
std::vector<std::string> listOf(const std::array<std::string_view, count>& names) {
    return {names.begin(), names.end()};
}
// The parser has checked that the name is one of them.
template <class Enum, std::size_t count>
Enum valueOf(const std::array<std::string_view, count>& names, const std::string& name) {
    return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

} // namespace

void JobOptions::addTo(CLI::App& verb, KindOptions& options, const std::vector<std::string>& kinds) {
    const CLI::Range many(std::int64_t{1}, std::int64_t{1'000'000});
    const auto add = [&](CLI::Option* option) { options.add(option, kinds); };
    add(verb.add_option("--model", model, "name of a known model, or FILE.json")->capture_default_str());
    add(verb.add_option("--tp", tensor, "tensor-parallel size; default: GPUs of an HB domain, at most 8")->check(many));
    add(verb.add_option("--pp", pipeline, "pipeline-parallel size (number of stages)")->check(many)->capture_default_str());
    add(verb.add_option("--dp", data, "data-parallel size; default: all remaining ranks")->check(many));
    add(verb.add_option("--cp", context, "context-parallel size")->check(many)->capture_default_str());
    add(verb.add_option("--ep", expert, "expert-parallel size")->check(many)->capture_default_str());
    add(verb.add_option("--micro-batch", microBatch, "sequences per micro-batch")->check(many)->capture_default_str());
    add(verb.add_option("--global-batch", globalBatch,
                        "sequences per iteration; default: four micro-batches per pipeline stage and replica")
            ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40)));
    add(verb.add_option("--interleave", interleave, "model chunks per pipeline stage")->check(many)->capture_default_str());
    add(verb.add_option("--recompute", recompute, "activation recomputation, none, selective, full or gemm-last")
            ->check(CLI::IsMember(listOf(recomputeNames)))
            ->capture_default_str());
    add(verb.add_option("--zero", zero, "ZeRO stage, 0 to 3")->check(CLI::Range(0, 3))->capture_default_str());
    add(verb.add_option("--grad-bytes", gradientBytes, "bytes per gradient, 2 or 4")->check(CLI::IsMember({2, 4}))->capture_default_str());
    add(verb.add_option("--pp-scatter", pipelineScatter,
                        "scatter the tensors between pipeline stages over the tensor-parallel ranks, on or off")
            ->check(CLI::IsMember({"on", "off"}))
            ->capture_default_str());
    add(verb.add_option("--rank-order", rankOrder, "order of the parallel dimensions, innermost first")->capture_default_str());
    const auto choice = [&](const char* name, std::string& value, const char* help, std::vector<std::string> of) {
        add(verb.add_option(name, value, help)->check(CLI::IsMember(std::move(of)))->capture_default_str());
    };
    choice("--sequence-parallel", sequenceParallel, "sequence parallelism where tp > 1, on or off", {"on", "off"});
    choice("--overlap-dp", overlapData, "overlap gradients with the backward pass, on or off", {"on", "off"});
    choice("--overlap-tp", overlapTensor, "overlap of tensor-parallel communication: none, pipeline or bulk", listOf(tensorOverlapNames));
    choice("--offload", offload, "what is kept in the memory of the host: none, optimizer or activations", listOf(offloadNames));
    choice("--precision", precision, "precision of matrix products: bf16 or fp8", {"bf16", "fp8"});
    add(verb.add_option("--tokens", tokens, "tokens of the whole training run, for example 300e9")
            ->check(NumberBetween(1, 1e18))
            ->capture_default_str());
    add(verb.add_option("--gate-skew", gateSkew, "tokens of the busiest expert / mean")
            ->check(NumberBetween(1, 1e6))
            ->capture_default_str());
    add(verb.add_option("--straggler", straggler, "slowdown of the slowest GPU, in addition to expected stragglers")
            ->check(NumberBetween(1, 1e6))
            ->capture_default_str());
}

TrainingPlan JobOptions::plan() const {
    TrainingPlan plan;
    plan.overlapsData = overlapData == "on";
    plan.overlapTensor = valueOf<TensorOverlap>(tensorOverlapNames, overlapTensor);
    plan.offload = valueOf<Offload>(offloadNames, offload);
    plan.precision = precision == "fp8" ? Precision::Fp8 : Precision::Bf16;
    plan.gateSkew = gateSkew;
    plan.straggler = straggler;
    plan.tokens = tokens;
    return plan;
}

Result<TrainingJob> JobOptions::job() const {
    auto known = modelOf(model);
    if (!known) return known.errors();
    const auto ranks = TrainingJob::rankOrderFrom(rankOrder);
    if (!ranks) return ranks.errors();
    TrainingJob job = usualJob(std::move(*known));
    job.isSequenceParallel = sequenceParallel == "on";
    job.rankOrder = *ranks;
    job.degrees = {tensor.value_or(0), context, expert, data.value_or(0), pipeline};
    job.microBatch = microBatch;
    job.globalBatch = globalBatch.value_or(0);
    job.interleave = interleave;
    job.recompute = valueOf<Recompute>(recomputeNames, recompute);
    job.zero = zero;
    job.gradientBytes = gradientBytes;
    job.isPipelineScattered = pipelineScatter == "on";
    return job;
}

std::vector<CLI::Option*> JobOptions::addGpusTo(CLI::App& verb) {
    std::vector<CLI::Option*> added;
    if (!verb.get_option_no_throw("--gpus"))
        added.push_back(verb.add_option("--gpus", gpus, "GPUs of the job, the first ones of the placement; default: all")
                            ->check(CLI::Range(1, 1'048'576)));
    added.push_back(
        verb.add_option("--placement", placement, "GPUs of the job: packed, spread or random servers, or a file with one GPU path per line")
            ->capture_default_str());
    return added;
}

Result<std::vector<DeviceId>> JobOptions::gpusOn(const Fabric& fabric, std::uint64_t seed) const {
    const auto known = placementFrom(placement);
    if (order != "near" && placement != "packed") return Error::usage("--order and --placement both order the GPUs; use one of them");
    auto found = order == "far"    ? Result<std::vector<DeviceId>>(gpusInOrder(fabric, RankOrder::Far))
                 : order != "near" ? readRankList(fabric, order)
                 : known           ? Result<std::vector<DeviceId>>(gpusOf(fabric, *known, seed))
                                   : readRankList(fabric, placement);
    if (!found) return found;
    const auto there = static_cast<std::int64_t>(found->size());
    if (gpus && *gpus > there)
        return Error::unbuildable(fmt::format("--gpus {}: {} has {} GPUs; choose at most as many", formatCount(*gpus),
                                              known && order == "near" ? "the design" : "the list", formatCount(there)));
    if (!known || order != "near") return firstGpus(std::move(*found), gpus.value_or(0)); // exactly those of the list
    auto own = job();
    return own ? firstWholeGroups(std::move(*own), fabric, std::move(*found), gpus.value_or(0))
               : Result<std::vector<DeviceId>>(own.errors());
}

Result<PlacedJob> JobOptions::placed(const Fabric& fabric, std::uint64_t seed) const {
    auto found = gpusOn(fabric, seed);
    if (!found) return found.errors();
    return placedOn(fabric, std::move(*found));
}

Result<PlacedJob> JobOptions::placedOn(const Fabric& fabric, std::vector<DeviceId> exactly) const {
    auto asked = job();
    if (!asked) return asked.errors();
    return placedJob(std::move(*asked), fabric, std::move(exactly));
}

Result<JobTraffic> JobOptions::traffic(const Fabric& fabric, std::uint64_t seed) const {
    const auto on = placed(fabric, seed);
    if (!on) return on.errors();
    return jobTrafficOf(fabric, on->job, on->gpus);
}

} // namespace railyard::cli
