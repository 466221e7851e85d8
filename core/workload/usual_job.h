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
// The innermost ranks that stand side by side and fit into an HB domain: tp · cp · ep, or fewer of them; data parallelism ends it. 1 if not
// even the innermost parallelism fits.
std::int64_t innerGroup(const TrainingJob& job, std::int64_t domainGpus);
std::int64_t usualDomain(const Fabric& fabric); // GPUs of an HB domain, of the size that most of them have
// How the ranks stand in HB domains.
struct Alignment {
    std::int64_t domains = 0, gpusPerDomain = 0; // that hold ranks; ranks of the fullest
    std::int64_t straddlingGroups = 0;           // inner groups that fit into a domain and lie in two or more
};
Alignment alignmentOf(const Fabric& fabric, const PlacedJob& placed);
// The first GPUs of every HB domain, in the order of `gpus`.
std::vector<DeviceId> firstOfDomains(const Fabric& fabric, const std::vector<DeviceId>& gpus, std::int64_t perDomain);
PlacedJob placedJob(TrainingJob job, const Fabric& fabric, std::vector<DeviceId> gpus); // exactly these GPUs

} // namespace railyard
