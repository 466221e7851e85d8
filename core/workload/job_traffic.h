// The traffic between the ranks of a training job in one iteration, in closed form; see docs/engine.md.
#pragma once

#include "core/routing/link_loads.h"
#include "core/workload/job.h"

namespace railyard {

struct JobFlow {
    DeviceId from, to; // GPUs
    double bytes = 0;  // in one iteration
    Parallel kind = Parallel::Tensor;
};

struct JobTraffic {
    std::vector<JobFlow> flows;    // by sender, in rank order
    std::array<double, 5> bytes{}; // sum over all ranks, by Parallel
    double total() const;
};

// Bytes that a rank sends in one iteration. Collectives are rings, as in NCCL at these message sizes; in an all-to-all every rank
// sends to all other ranks of its group. Where tokens are dispatched by HB domain, a rank sends them to the rank at its place in each other
// domain, and forwards those that come to it (expert_layout.h).
struct JobVolumes {
    double tensor = 0, context = 0, expert = 0;               // expert: with a copy of a token for each of its experts
    double expertCopy = 0;                                    // one copy of every token on its way to an expert and back
    double pipelineForward = 0;                               // to the next stage; the same amount backwards
    double dataDense = 0, dataExperts = 0, dataEmbedding = 0; // the last one on the first and last stage, once if they are the same stage
    double tiedEmbedding = 0;                                 // between first and last stage, both directions; included in pipeline traffic
};
JobVolumes volumesOf(const TrainingJob& job);
// Messages in which `ranks` ranks send so many parameters of `layers` layers if they overlap with computing. Megatron-LM fills a bucket
// with 40 million parameters, or a million for each rank if that is more, so that latency does not count (its
// DistributedDataParallelConfig); no bucket is smaller than a layer.
double bucketsOf(double parameters, double layers, std::int64_t ranks);
double bucketSizeOf(double parameters, double layers, std::int64_t ranks); // parameters of a full one

// Rank r is gpus[r]. Errors: the job cannot run, or it has more ranks than there are GPUs.
Result<JobTraffic> jobTrafficOf(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus);
// What the ranks that differ in these ways alone send to each other, in all such groups: to all others of the group over ep, to both
// neighbours over pp, otherwise around rings as above. The volume is 1 for each rank that it sends to; over ep with dispatch by HB domain
// it is the mean number of copies of a token, so that a rank sends as many as tokenCopies() says.
std::vector<GpuFlow> groupFlows(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus,
                                const std::vector<Parallel>& over);
// Copies of a token that a rank sends on the way to experts, forwarded ones included; without dispatch by domain one for each expert on
// another rank.
double tokenCopies(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus);
// In units of the traffic of the GPU that sends most.
GpuTraffic toGpuTraffic(const JobTraffic& traffic);

} // namespace railyard
