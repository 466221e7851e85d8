#include "core/workload/activations.h"

namespace railyard {
namespace {

// Bytes per token of one layer: what every rank of a tensor-parallel group keeps whole unless sequence parallelism divides it, and what
// the group divides in any case.
struct LayerBytes {
    double whole = 0, divided = 0;
    double scores = 0;    // of the divided part: what selective recomputation drops
    double activated = 0; // of the divided part: what the activation function gives
};

LayerBytes bytesOf(const TransformerModel& model, bool isAttentionFused) {
    constexpr double value = 2, mask = 1;
    const auto h = static_cast<double>(model.hidden), queries = static_cast<double>(model.scoreWidth());
    const auto keysAndValues = 2 * static_cast<double>(model.kvHidden()), out = static_cast<double>(model.valueWidth());
    double width = static_cast<double>(model.ffnHidden); // of a token, averaged over the layers
    if (const auto& mixture = model.mixture) {
        const double share = static_cast<double>(model.mixtureLayers()) / static_cast<double>(model.layers);
        width = (1 - share) * width + share * static_cast<double>((mixture->topK + mixture->sharedExperts) * mixture->ffnHidden);
    }
    const double dropouts = model.isFfnGated ? 0 : 2 * mask * h;
    LayerBytes bytes;
    bytes.whole = value * h * 4 + dropouts; // inputs of two norms and of what follows them
    bytes.divided = value * (queries + keysAndValues + out) + value * width * (model.isFfnGated ? 3 : 2);
    bytes.activated = value * width;
    if (!isAttentionFused) // softmax, its dropout mask, and its dropout output
        bytes.scores = (2 * value + mask) * static_cast<double>(model.heads) * static_cast<double>(model.sequenceTokens);
    return bytes;
}

} // namespace

double activationBytesOfFirstStage(const TransformerModel& model, const ActivationSplit& split) {
    const auto t = static_cast<double>(split.tensor), p = static_cast<double>(split.pipeline), v = static_cast<double>(split.interleave);
    const LayerBytes bytes = bytesOf(model, split.isAttentionFused);
    const double shared = split.isSequenceParallel ? t : 1;
    double perToken = bytes.whole / shared + (bytes.divided + bytes.scores) / t;
    if (split.recompute == Recompute::Selective) perToken -= bytes.scores / t;
    if (split.recompute == Recompute::GemmLast) // the outputs of matrix products stay, what is between them goes
        perToken = 2 * static_cast<double>(model.hidden) * 2 / shared + (bytes.divided - bytes.activated) / t;
    if (split.recompute == Recompute::Full) perToken = 2 * static_cast<double>(model.hidden) / shared;
    const double tokens = static_cast<double>(split.microBatch) * static_cast<double>(model.sequenceTokens);
    const double inFlight = v > 1 ? 1 + (p - 1) / (p * v) : 1; // of the layers of all stages
    return perToken * tokens * static_cast<double>(model.layers) * inFlight;
}

} // namespace railyard
