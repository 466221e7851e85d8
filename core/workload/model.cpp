#include "core/workload/model.h"

namespace railyard {

std::int64_t TransformerModel::kvHidden() const {
    if (latent) return heads * (latent->plainHeadDim + latent->rotaryHeadDim + latent->valueHeadDim) / 2;
    return headDim * kvHeads;
}

std::int64_t TransformerModel::scoreWidth() const { return heads * (latent ? latent->plainHeadDim + latent->rotaryHeadDim : headDim); }

std::int64_t TransformerModel::valueWidth() const { return heads * (latent ? latent->valueHeadDim : headDim); }

double TransformerModel::attentionWeights() const {
    const auto h = static_cast<double>(hidden), out = h * static_cast<double>(valueWidth());
    if (!latent) return h * static_cast<double>(scoreWidth() + 2 * kvHidden()) + out;
    const auto query = static_cast<double>(latent->queryRank), rest = static_cast<double>(latent->keyValueRank);
    const double down = h * (query + rest + static_cast<double>(latent->rotaryHeadDim));
    const double up =
        query * static_cast<double>(scoreWidth()) + rest * static_cast<double>(heads * (latent->plainHeadDim + latent->valueHeadDim));
    return down + up + out;
}

double TransformerModel::denseParametersOf(std::int64_t someLayers, std::int64_t mixtures) const {
    const auto h = static_cast<double>(hidden), matrices = isFfnGated ? 3.0 : 2.0;
    const double plain = static_cast<double>(someLayers - mixtures) * matrices * h * static_cast<double>(ffnHidden);
    double shared = 0;
    if (mixture) {
        const double router = h * static_cast<double>(mixture->experts);
        const double experts = static_cast<double>(mixture->sharedExperts) * matrices * h * static_cast<double>(mixture->ffnHidden);
        shared = static_cast<double>(mixtures) * (router + experts);
    }
    return static_cast<double>(someLayers) * attentionWeights() + plain + shared;
}

double TransformerModel::expertParametersOf(std::int64_t mixtures) const {
    if (!mixture) return 0;
    const double each = (isFfnGated ? 3.0 : 2.0) * static_cast<double>(hidden) * static_cast<double>(mixture->ffnHidden);
    return static_cast<double>(mixtures * mixture->experts) * each;
}

bool TransformerModel::hasExperts(std::int64_t layer) const {
    if (!mixture || layer < mixture->denseLayers) return false;
    return (layer - mixture->denseLayers) % mixture->everyLayers == mixture->everyLayers - 1;
}

// Gated networks have a weight for each value of a norm; the others have two there, a bias for each output of a matrix, and learned
// positions. The last norm is counted where the published numbers count it, in gated networks.
std::optional<std::int64_t> TransformerModel::parameters() const {
    if (!unknown.empty()) return {};
    const std::int64_t h = hidden;
    std::int64_t perLayer = static_cast<std::int64_t>(attentionWeights()) + (isFfnGated ? 2 : 4) * h; // with two norms
    if (latent) perLayer += latent->queryRank + latent->keyValueRank;                                 // norms of the low ranks
    if (!isFfnGated) perLayer += scoreWidth() + 2 * kvHidden() + h;                                   // biases of attention
    const auto network = [&](std::int64_t width) { return isFfnGated ? 3 * h * width : 2 * h * width + width + h; };
    std::int64_t all = layers * perLayer + (layers - mixtureLayers()) * network(ffnHidden);
    if (mixture) {
        const std::int64_t routed = mixture->experts + mixture->sharedExperts;
        const std::int64_t router = h * mixture->experts + (latent ? mixture->experts : 0); // with its correction biases (arXiv 2412.19437)
        all += mixtureLayers() * (routed * network(mixture->ffnHidden) + router);
    }
    all += vocab * h * (hasTiedEmbeddings ? 1 : 2);
    return all + (isFfnGated ? h : sequenceTokens * h);
}

} // namespace railyard
