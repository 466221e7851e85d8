// What a job is where it was not said.
#pragma once

#include "core/fabric/fabric.h"
#include "core/training/job.h"

namespace railyard {

// Ways and batches that are 0 become: tensor parallelism the largest power of two that an HB domain and the model's heads
// allow, at most 8; data parallelism all GPUs that are left; four micro-batches a pipeline stage.
TrainingJob fillIn(TrainingJob job, const Fabric& fabric);

} // namespace railyard
