// What one failure of every kind takes: GPUs lost and degraded, and the bandwidth that is left.
#pragma once

#include "core/base/tasks.h"
#include "core/reliability/reliability.h"

namespace railyard {

// Of parts that a failure affects alike; `path` is one of them.
struct SingleFailure {
    PartKind kind = PartKind::Gpu;
    std::string path;
    std::int64_t count = 0;
    std::int64_t gpusLost = 0;     // of the job: of the server of a failed GPU, and those whose HB domain has no other way out
    std::int64_t gpusDegraded = 0; // of the job: their worst-case bandwidth falls
    bool interruptsJob = false;
    std::optional<double> bandwidthLeft; // server bisection (upper bound) after / before; empty without bisection
    std::optional<double> perYear;       // failures of all of them; empty if the rate is not published
};

// The worst first: by GPUs lost, bandwidth left, GPUs degraded. `parts` are of this fabric. A stop leaves bandwidths empty.
std::vector<SingleFailure> singleFailures(const FabricPointer& fabric, const JobParts& parts, const ReliabilityRequest& request,
                                          const TaskContext& context = {});

} // namespace railyard
