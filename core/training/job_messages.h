// The collectives that a training job runs in one iteration, by size: what a map of times is read at.
#pragma once

#include "core/collective/collective.h"
#include "core/training/usual_job.h"

namespace railyard {

struct JobMessage {
    Parallel kind = Parallel::Tensor;
    CollectiveOp op = CollectiveOp::AllReduce;
    std::string what;                      // gradients of a layer
    Bytes size;                            // as nccl-tests counts it
    double count = 0;                      // of one rank in an iteration
    std::int64_t ranks = 0;                // of the group
    std::int64_t servers = 0, domains = 0; // that the group of rank 0 is on
};

// Volumes as in job_traffic.h. Gradients and parameters go layer by layer, as frameworks overlap them with the backward pass;
// embeddings are messages of their own. Errors: a job that cannot run, more ranks than GPUs.
Result<std::vector<JobMessage>> messagesOf(const Fabric& fabric, const PlacedJob& placed);

} // namespace railyard
