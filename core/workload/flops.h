// Floating-point operations of one training iteration.
#pragma once

#include "core/workload/model.h"
#include "core/workload/recompute.h"

namespace railyard {

struct TrainingFlops {
    double model = 0;    // forward and backward pass
    double hardware = 0; // with what is computed again
};

// For all layers and the head, for the given number of sequences. A multiplication and an addition are two operations; scores are not
// halved for the causal mask. For dense models with multi-head attention these are eq. 3 of Narayanan et al. (SC'21, full recomputation)
// and eq. 7 and 8 of Korthikanti et al. (arXiv 2205.05198), which count the recomputed scores as often as the scores of both passes
// together.
TrainingFlops flopsOf(const TransformerModel& model, std::int64_t sequences, Recompute recompute);

// The parts of one forward pass, per sequence.
struct ForwardFlops {
    double matrices = 0; // attention projections, feed-forward networks, routers: of all layers
    double scores = 0;   // attention between tokens: of all layers
    double head = 0;     // logits
};
ForwardFlops forwardFlopsOf(const TransformerModel& model);

} // namespace railyard
