// The two parts whose failure at the same time takes most.
#pragma once

#include "core/base/tasks.h"
#include "core/reliability/job_parts.h"

#include <array>
#include <optional>
#include <string>

namespace railyard {

struct PairFailure {
    std::array<std::string, 2> paths;
    std::int64_t gpusLost = 0; // of the job: of failed servers, and those whose HB domain has no other way out
    bool interruptsJob = false;
    std::optional<double> bandwidthLeft; // server bisection (upper bound) after / before; empty without bisection
};

// By GPUs lost, then by bandwidth left. Exact for the GPUs; of pairs that lose the same number the bandwidth is that of the pairs of
// switches that share most of what hangs below them. Empty if the design has fewer than two parts.
std::optional<PairFailure> worstPair(const FabricPointer& fabric, const JobParts& parts, FailurePolicy policy,
                                     const TaskContext& context = {});

} // namespace railyard
