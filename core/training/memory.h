// Memory that a training job needs on its fullest GPU.
#pragma once

#include "core/training/gpu_speed.h"
#include "core/training/training_plan.h"

namespace railyard {

// Layers of every pipeline stage. They need not divide: the stages in the middle take one more, since the first also holds the embedding
// and the last the head.
std::vector<std::int64_t> layersOfStages(const TrainingJob& job);

// Parameters in 2 bytes, gradients as the job says, and 12 bytes for each parameter in the optimizer (a copy in 32 bits and two moments),
// divided as ZeRO says (Rajbhandari et al., SC'20). Activations: activations.h, for as many micro-batches as are under way.
TrainingMemory memoryOf(const TrainingJob& job, const TrainingPlan& plan, const GpuSpeed& gpu, const TrainingCalibration& calibration);

} // namespace railyard
