#include "core/workload/flops.h"

namespace railyard {

ForwardFlops forwardFlopsOf(const TransformerModel& model) {
    const auto h = static_cast<double>(model.hidden), tokens = static_cast<double>(model.sequenceTokens);
    const auto layers = static_cast<double>(model.layers), mixtures = static_cast<double>(model.mixtureLayers());
    const double matrices = model.isFfnGated ? 3 : 2;
    double weights = layers * model.attentionWeights() + (layers - mixtures) * matrices * h * static_cast<double>(model.ffnHidden);
    if (const auto& mixture = model.mixture) // a token passes the experts that it is routed to, and the router
        weights += mixtures * h *
                   (static_cast<double>(mixture->topK + mixture->sharedExperts) * matrices * static_cast<double>(mixture->ffnHidden) +
                    static_cast<double>(mixture->experts));
    ForwardFlops flops;
    flops.matrices = 2 * weights * tokens;
    flops.scores = 2 * tokens * tokens * static_cast<double>(model.scoreWidth() + model.valueWidth()) * layers;
    flops.head = 2 * tokens * h * static_cast<double>(model.vocab);
    return flops;
}

TrainingFlops flopsOf(const TransformerModel& model, std::int64_t sequences, Recompute recompute) {
    constexpr double passes = 3; // the backward pass costs twice the forward pass
    const ForwardFlops forward = forwardFlopsOf(model);
    const auto batch = static_cast<double>(sequences);
    const double both = passes * (forward.matrices + forward.scores + forward.head) * batch;
    double again = 0;
    if (recompute == Recompute::Full) again = forward.matrices + forward.scores;
    if (recompute == Recompute::Selective) again = passes * forward.scores;
    return {both, both + again * batch};
}

} // namespace railyard
