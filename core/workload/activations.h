// Memory of the activations that the backward pass needs.
#pragma once

#include "core/workload/flops.h"

namespace railyard {

struct ActivationSplit {
    std::int64_t microBatch = 1; // sequences
    std::int64_t tensor = 1, pipeline = 1, interleave = 1;
    bool isSequenceParallel = false;
    Recompute recompute = Recompute::None;
    bool isAttentionFused = true;
};

// Bytes per GPU of the first pipeline stage, which keeps the activations of as many micro-batches as there are stages, with 2 bytes per
// value and 1 byte per dropout mask: Korthikanti et al. (arXiv 2205.05198), Table 2, with (1 + (p - 1) / (p v)) for v chunks a stage.
// Without the embedding and the head. Gated networks have no dropout and keep three products of the feed-forward network. Fused attention
// keeps no scores, since it is computed in tiles. Between kept products nothing stays, the output of the activation function neither.
double activationBytesOfFirstStage(const TransformerModel& model, const ActivationSplit& split);

} // namespace railyard
