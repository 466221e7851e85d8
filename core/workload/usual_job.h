// The defaults of a training job.
#pragma once

#include "core/collective/collective.h"
#include "core/fabric/fabric.h"
#include "core/workload/job.h"

namespace railyard {

// GPUs in rank order and the job that runs on them.
struct PlacedJob {
    TrainingJob job;
    std::vector<DeviceId> gpus;
};

// A job of this model with the defaults of all verbs and views: ZeRO 1 and sequence parallelism; tp, dp and the global batch are 0.
TrainingJob usualJob(TransformerModel model);

// Parallelisms and batches of 0 are set: tensor parallelism to the largest power of two that an HB domain and the heads of the
// model allow, at most 8; data parallelism to all remaining GPUs; four micro-batches per pipeline stage.
// With order Near, incomplete HB domains and servers stay idle if the groups that stand side by side in a domain would cross their
// boundary.
PlacedJob placedJob(TrainingJob job, const Fabric& fabric, RankOrder order);
// These GPUs without those that stay idle so. `gpus`: of an HB domain one after the other. All of them if no group is whole.
std::vector<DeviceId> wholeGroups(const TrainingJob& job, const Fabric& fabric, std::vector<DeviceId> gpus);
PlacedJob placedJob(TrainingJob job, const Fabric& fabric, std::vector<DeviceId> gpus); // exactly these GPUs

} // namespace railyard
