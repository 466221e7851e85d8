// What the ranks of a training job send each other in one iteration, by closed forms; docs/engine.md.
#pragma once

#include "core/routing/link_loads.h"
#include "core/training/job.h"

namespace railyard {

struct JobFlow {
    std::uint32_t from = 0, to = 0; // GPUs, as devices
    double bytes = 0;               // in one iteration
    Parallel kind = Parallel::Tensor;
};

struct JobTraffic {
    std::vector<JobFlow> flows;    // by sender, in the order of ranks
    std::array<double, 5> bytes{}; // sum over all ranks, by Parallel
    double total() const;
};

// Bytes that one rank sends in one iteration. Collectives are rings, as NCCL's are at training sizes; all-to-alls send to every
// other rank of their group.
struct JobVolumes {
    double tensor = 0, context = 0, expert = 0;
    double pipelineForward = 0;                               // to the next stage; as much backward
    double dataDense = 0, dataExperts = 0, dataEmbedding = 0; // the last on the first stage and on the last, once where they are one
    double tiedEmbedding = 0;                                 // between the first stage and the last, both ways; counted with pipeline
};
JobVolumes volumesOf(const TrainingJob& job);

// Rank r is gpus[r]. Errors: a job that cannot run, more ranks than GPUs.
Result<JobTraffic> jobTrafficOf(const Fabric& fabric, const TrainingJob& job, const std::vector<std::uint32_t>& gpus);
// In units of what the GPU that sends most sends.
GpuTraffic toGpuTraffic(const JobTraffic& traffic);

} // namespace railyard
