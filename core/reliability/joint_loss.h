// What parts that fail at the same time take from a job.
#pragma once

#include "core/reliability/job_parts.h"

#include <vector>

namespace railyard {

struct JointLoss {
    std::vector<ServerId> servers; // of the job, that fail or lose their only path
    std::vector<DeviceId> gpus;    // of the job: those of these servers
    bool dividesJob = false;       // what remains of the job is in several parts
    bool interruptsJob() const { return !gpus.empty() || dividesJob; }
};
struct FailedTogether {
    std::vector<DeviceId> devices; // GPUs, NICs, switches, all of a server
    std::vector<LinkId> links;     // of the network
};
// A server leaves the job as a whole. Only paths: of a NIC with the strict policy, of an
// HB domain with the tolerant one.
JointLoss lossOf(const FailedTogether& failed, const Fabric& fabric, const JobParts& parts, FailurePolicy policy);

} // namespace railyard
