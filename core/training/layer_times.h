// Compute times of the parts of a transformer on one GPU, as a roofline of every matrix product and of every kernel that only moves data.
#pragma once

#include "core/base/quantity.h"
#include "core/training/gpu_speed.h"
#include "core/training/training_plan.h"

namespace railyard {

struct LayerTimes { // of one layer and one micro-batch
    Seconds forward, backward, recompute;
    Seconds attention;       // of the forward pass: what an exchange of keys and values can hide behind
    Seconds matrices;        // of the forward pass, without attention
    Seconds weightGradients; // of the backward pass
    bool operator==(const LayerTimes&) const = default;
};

struct ModelTimes {
    LayerTimes dense, mixture; // mixture: of a layer with experts
    Seconds headForward, headBackward, embedding;
    bool operator==(const ModelTimes&) const = default;
};

// Work of one rank: the tokens of its micro-batch divided over cp, matrices and heads over tp, experts over ep; norms, dropouts and
// residuals over tp with sequence parallelism.
ModelTimes modelTimes(const TrainingJob& job, const TrainingPlan& plan, const GpuSpeed& speed);
Seconds timeOf(const MeasuredOperation& operation, const GpuSpeed& speed); // of one operation in 16 bits

} // namespace railyard
