// What parts that fail at the same time take from a job.
#pragma once

#include "core/reliability/job_parts.h"

namespace railyard {

// A server leaves the job as a whole. Only paths: of a NIC with the strict policy, of an
// HB domain with the tolerant one. Where parts have failed already (JobParts::failed): what these take besides.
JointLoss lossOf(const FailedTogether& failed, const Fabric& fabric, const JobParts& parts, FailurePolicy policy);

// Takes what is missing in a fabric after failures into the parts of the intact one, and what that takes.
void addFailed(const Fabric& degraded, const Fabric& intact, FailurePolicy policy, JobParts& parts);

} // namespace railyard
