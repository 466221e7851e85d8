// The probability of an interruption over the size of a job and the reliability of the parts.
#pragma once

#include "core/analysis/maps/heat_grid.h"
#include "core/reliability/reliability.h"

namespace railyard {

// x: GPUs of the job, packed, from one server to all GPUs of the design, doubling; then twice and four times as many, by the same recipe.
// y: all failure rates times 0.01 to 10. Values are within the horizon of the request; a note has the mean time between interruptions.
HeatGrid failureGrid(const Fabric& fabric, const ReliabilityRequest& request, const TaskContext& context = {});

} // namespace railyard
