// What a search for the best division of a training job tries.
#pragma once

#include "core/fabric/fabric.h"
#include "core/training/training_plan.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

// Time: of the iteration. Cost and energy of a run are both in proportion to GPUs x time, as long as a GPU costs and draws the same
// whatever it does: they also try fewer GPUs than there are.
enum class Objective { Time, Cost, Energy };
std::optional<Objective> objectiveFrom(std::string_view text);

// The values that are tried, if the job allows them. Data parallelism takes the rest of the GPUs.
struct SearchSpace {
    std::vector<std::int64_t> gpus; // numbers of GPUs; a job gets the first ones
    std::vector<std::int64_t> tensor, pipeline, context, expert, microBatches, interleaves;
    std::vector<std::int64_t> expertFolds; // ranks of experts that have none of their own, see TrainingJob
    std::vector<Recompute> recompute;
    std::vector<int> zero;
    std::vector<bool> overlapsData;
    std::vector<TensorOverlap> overlapTensor;
    std::vector<Offload> offload;
    std::string text() const; // one line, for people
};

// Powers of two for tp up to the HB domain or 8, all divisors of the GPUs for pp up to the layers, powers of two for cp where sequences are
// longer than 16,384 tokens, and for ep where the model has experts, on ranks of their own and folded; micro-batches up to 16, chunks up to
// 24; all that can be recomputed, divided, overlapped and offloaded. For cost and energy half, a quarter and so on of the GPUs too.
SearchSpace usualSpace(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus,
                       Objective objective = Objective::Time);
// What is given is not searched: its value in the job or its plan is the only one. `isGiven` takes keys of the parameters of a job.
inline constexpr std::array<std::string_view, 11> searchedOptions{
    "tp", "pp", "cp", "ep", "micro_batch", "interleave", "recompute", "zero", "overlap_dp", "overlap_tp", "offload"};
void keepGiven(SearchSpace& space, const std::function<bool(std::string_view key)>& isGiven, const TrainingJob& job,
               const TrainingPlan& plan);

} // namespace railyard
