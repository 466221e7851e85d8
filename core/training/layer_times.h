// Compute times of the parts of a transformer on one GPU, as a roofline of every matrix product and of every kernel that only moves data.
#pragma once

#include "core/base/quantity.h"
#include "core/training/gpu_speed.h"
#include "core/training/training_plan.h"

namespace railyard {

struct LayerTimes { // of one layer and one micro-batch
    Seconds forward, backward, recompute;
    // Parts of the passes that messages can hide behind; each belongs to one pass and to one kind of message.
    Seconds attention, attentionBackward;    // exchanges of keys and values
    Seconds matrices;                        // of the forward pass, without attention
    Seconds inputGradients, weightGradients; // of the backward pass, without attention
    LayerTimes slowedBy(double factor) const;
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

// A micro-batch through all layers of the model on one stage, forward and backward: what tells slower GPUs from faster ones.
Seconds timeOfLayers(const TransformerModel& model, const ModelTimes& times);

// Of one decoding step: every sequence gets one token, which attends to `keys` tokens before it. Weights and the cache of keys and values
// are read from memory, and only those experts to which a token is sent.
struct DecodeTimes {
    Seconds dense, mixture; // a layer
    Seconds head;           // logits of one token of every sequence
};
DecodeTimes decodeTimes(const TrainingJob& job, const TrainingPlan& plan, const GpuSpeed& speed, double sequences, double keys);
// Of the cache: of one token and one layer, on one of the tensor-parallel ranks. With latent attention every rank holds all of it.
double cacheBytes(const TransformerModel& model, std::int64_t tensor);

Seconds timeOf(const MeasuredOperation& operation, const GpuSpeed& speed); // of one operation in 16 bits

} // namespace railyard
