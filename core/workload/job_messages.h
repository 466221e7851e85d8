// The collectives of a training job in one iteration, by size.
#pragma once

#include "core/collective/collective.h"
#include "core/workload/usual_job.h"

namespace railyard {

struct JobMessage {
    Parallel kind = Parallel::Tensor;
    std::vector<Parallel> over; // in which its ranks differ
    CollectiveOp op = CollectiveOp::AllReduce;
    std::string what;                      // for example "gradients of layers"
    Bytes size;                            // as defined by nccl-tests
    double count = 0;                      // per rank and iteration
    std::int64_t ranks = 0;                // of the group
    std::int64_t servers = 0, domains = 0; // servers and domains of the group of rank 0
};

// Volumes as in job_traffic.h. Gradients and parameters are sent in buckets if they overlap with the passes, otherwise those of all layers
// in one message; embeddings are separate messages. Errors: the job cannot run, or it has more ranks than there are GPUs.
Result<std::vector<JobMessage>> messagesOf(const Fabric& fabric, const PlacedJob& placed, bool overlapsData = true);

} // namespace railyard
