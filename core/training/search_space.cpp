#include "core/training/search_space.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace railyard {

std::optional<Objective> objectiveFrom(std::string_view text) {
    if (text == "time") return Objective::Time;
    if (text == "cost") return Objective::Cost;
    if (text == "energy") return Objective::Energy;
    return std::nullopt;
}

std::string SearchSpace::text() const {
    const auto namesOf = [](const auto& values) {
        std::vector<std::string_view> names;
        for (const auto each : values) names.push_back(toText(each));
        return fmt::format("{}", fmt::join(names, " "));
    };
    std::vector<std::string_view> overlaps;
    for (const bool each : overlapsData) overlaps.push_back(each ? "on" : "off");
    return fmt::format(
        "gpus {}; tp {}; pp {}; cp {}; ep {}; {}micro-batch {}; interleave {}; recompute {}; zero {}; overlap-dp {}; overlap-tp "
        "{}; offload {}; dp takes the rest",
        fmt::join(gpus, " "), fmt::join(tensor, " "), fmt::join(pipeline, " "), fmt::join(context, " "), fmt::join(expert, " "),
        expertFolds.empty() ? std::string() : fmt::format("ep folded over tp, cp and dp {}; ", fmt::join(expertFolds, " ")),
        fmt::join(microBatches, " "), fmt::join(interleaves, " "), namesOf(recompute), fmt::join(zero, " "), fmt::join(overlaps, " "),
        namesOf(overlapTensor), namesOf(offload));
}

SearchSpace usualSpace(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& all, Objective objective) {
    constexpr std::int64_t longSequence = 16'384, mostContext = 16, mostExpert = 64, mostTensor = 8, mostTensorInDomain = 64,
                           mostChunks = 24;
    std::map<DomainId, std::int64_t> domains;
    std::int64_t domainGpus = 1;
    for (const DeviceId gpu : all) domainGpus = std::max(domainGpus, ++domains[fabric.devices.hbDomain[gpu]]);
    const auto gpus = static_cast<std::int64_t>(all.size());
    SearchSpace space; // of no GPUs: one that a search refuses
    space.gpus = {gpus};
    while (objective != Objective::Time && space.gpus.back() > 1 && space.gpus.back() % 2 == 0) space.gpus.push_back(space.gpus.back() / 2);
    for (std::int64_t t = 1; t <= std::max(mostTensor, std::min(domainGpus, mostTensorInDomain)); t *= 2) space.tensor.push_back(t);
    for (std::int64_t p = 1; p <= std::min(gpus, job.model.layers); ++p)
        if (gpus % p == 0) space.pipeline.push_back(p);
    for (std::int64_t c = 1; c <= (job.model.sequenceTokens > longSequence ? mostContext : 1); c *= 2) space.context.push_back(c);
    for (std::int64_t e = 1; e <= (job.model.mixture ? std::min(mostExpert, job.model.mixture->experts) : 1); e *= 2)
        space.expert.push_back(e);
    if (space.expert.size() > 1) space.expertFolds.assign(space.expert.begin() + 1, space.expert.end());
    space.microBatches = {1, 2, 3, 4, 6, 8, 12, 16};
    for (std::int64_t v = 1; v <= mostChunks; ++v) space.interleaves.push_back(v);
    space.recompute = {Recompute::None, Recompute::Selective, Recompute::Full, Recompute::GemmLast};
    space.zero = {0, 1, 2, 3};
    space.overlapsData = {true, false};
    space.overlapTensor = {TensorOverlap::None, TensorOverlap::Pipeline, TensorOverlap::Bulk};
    space.offload = {Offload::None, Offload::Optimizer, Offload::Activations};
    return space;
}

void keepGiven(SearchSpace& space, const std::function<bool(std::string_view key)>& isGiven, const TrainingJob& job,
               const TrainingPlan& plan) {
    const auto only = [&](std::string_view key, std::vector<std::int64_t>& values, std::int64_t value) {
        if (isGiven(key)) values = {value};
    };
    only("tp", space.tensor, job.by(Parallel::Tensor));
    only("pp", space.pipeline, job.by(Parallel::Pipeline));
    only("cp", space.context, job.by(Parallel::Context));
    only("ep", space.expert, job.expertRanks());
    if (isGiven("ep")) space.expertFolds.assign(job.expertRanks() > 1 ? 1 : 0, job.expertRanks());
    only("micro_batch", space.microBatches, job.microBatch);
    only("interleave", space.interleaves, job.interleave);
    if (isGiven("recompute")) space.recompute = {job.recompute};
    if (isGiven("zero")) space.zero = {job.zero};
    if (isGiven("overlap_dp")) space.overlapsData = {plan.overlapsData};
    if (isGiven("overlap_tp")) space.overlapTensor = {plan.overlapTensor};
    if (isGiven("offload")) space.offload = {plan.offload};
}

} // namespace railyard
