// How a training job is run, and its estimate.
#pragma once

#include "core/base/quantity.h"
#include "core/workload/usual_job.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

// What overlaps with the communication of tensor parallelism: nothing, the matrix product it belongs to, cut into four parts, or in the
// backward pass the product of the weights' gradients.
enum class TensorOverlap { None, Pipeline, Bulk };
constexpr std::array<std::string_view, 3> tensorOverlapNames{"none", "pipeline", "bulk"};
constexpr std::string_view toText(TensorOverlap overlap) { return tensorOverlapNames[static_cast<std::size_t>(overlap)]; }
enum class Offload { None, Optimizer, Activations }; // to the memory of the host
constexpr std::array<std::string_view, 3> offloadNames{"none", "optimizer", "activations"};
constexpr std::string_view toText(Offload offload) { return offloadNames[static_cast<std::size_t>(offload)]; }

// Servers that a selector names, and their time / that of other servers of their part.
struct SlowServers {
    std::string selector;
    double timeRatio = 1;
};

// Options that do not change the traffic of the job.
struct TrainingPlan {
    bool overlapsData = true; // gradients are sent during the backward pass, parameters gathered during the forward pass
    TensorOverlap overlapTensor = TensorOverlap::None;
    Offload offload = Offload::None;
    bool overlapsExperts = true; // tokens of one half of a micro-batch travel while the other half is computed
    double gateSkew = 1;         // tokens of the busiest expert / mean
    double straggler = 1;        // time of the slowest GPU / normal, on top of the stragglers that the calibration expects
    std::vector<SlowServers> slow;
    double tokens = 300e9;
};

TrainingPlan withoutOverlap(TrainingPlan plan); // no communication hides behind computing

struct PlannedJob {
    TrainingJob job; // degrees and batches of 0 are chosen
    TrainingPlan plan;
};

// What can be chosen about a division of a job with its micro-batch and recomputation.
struct IterationSchedule {
    std::int64_t interleave = 1;
    int zero = 1;
    bool overlapsData = true;
    TensorOverlap overlapTensor = TensorOverlap::None;
    Offload offload = Offload::None;
};
IterationSchedule scheduleOf(const TrainingJob& job, const TrainingPlan& plan);

// GiB (2^30 bytes) of the GPU that needs most.
struct TrainingMemory {
    double parameters = 0, gradients = 0, optimizer = 0, activations = 0, workspace = 0;
    double capacity = 0;               // 0 if the catalogue does not know it
    double host = 0, hostCapacity = 0; // of the memory of the host, for each GPU; the capacity 0 if it is not known
    bool isGpuFull() const { return capacity > 0 && total() > capacity; }
    bool isHostFull() const { return hostCapacity > 0 && host > hostCapacity; }
    double total() const { return parameters + gradients + optimizer + activations + workspace; }
};

// Of the stage that takes longest; the parts add up to the iteration.
struct TrainingBreakdown {
    Seconds forward, backward, recompute;
    Seconds tensor, pipeline, data, context, expert; // communication that nothing hides
    Seconds tied;                                    // of `pipeline`: gradients of the embedding that the first and the last stage share
    Seconds bubble;                                  // idle: filling and draining the pipeline, and waiting for longer stages
    Seconds optimizer, offload;
    Seconds total() const;
    Seconds exposed() const { return tensor + pipeline + data + context + expert; }
};

struct TrainingEstimate {
    TrainingJob job;
    TrainingPlan plan;
    std::vector<std::string> reasons; // why it does not fit; empty if it does
    Seconds iteration, low, high;     // `low` and `high`: the interval of the estimate
    bool isCalibrated = false;        // the constants of these GPUs were fitted to measured training runs
    std::string calibration;          // where the constants come from
    double expectedSlowdown = 1;      // of computing, by the stragglers that the calibration expects
    Seconds median, percentile99;     // of the iteration over random placements of these stragglers
    double parameters = 0, modelFlops = 0, hardwareFlops = 0;
    double peakFlops = 0; // of one GPU, mean over the job
    TrainingMemory memory;
    TrainingBreakdown breakdown;
    std::array<double, 5> bytesPerGpu{}; // sent in one iteration, mean over the ranks, by Parallel
    double hbBytesPerGpu = 0, nicBytesPerGpu = 0;
    Alignment alignment;
    std::array<bool, 5> crossesNics{}; // by Parallel: some of its messages leave the HB domain
    std::int64_t longestSequence = 0;  // tokens that would fit with this division; 0 if none, or if the memory of the GPUs is not known

    bool isFeasible() const { return reasons.empty(); }
    // Exposed communication of the kinds that leave the HB domain, and of those that stay inside it.
    Seconds exposedOnNetwork() const, exposedInDomains() const;
    double tokensPerSecond() const;
    double days() const;                              // for plan.tokens
    double modelShare() const, hardwareShare() const; // MFU, HFU
};

} // namespace railyard
