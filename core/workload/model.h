// Decoder transformers, dense or with a mixture of experts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace railyard {

struct Mixture {
    std::int64_t experts = 0, topK = 0, sharedExperts = 0;
    std::int64_t ffnHidden = 0;
    std::int64_t everyLayers = 1; // every n-th layer has experts
};

struct TransformerModel {
    std::string id, name, source;
    std::int64_t layers = 0, hidden = 0, heads = 0, kvHeads = 0, ffnHidden = 0;
    bool isFfnGated = false; // three matrices instead of two
    std::int64_t vocab = 0;  // padded
    std::int64_t sequenceTokens = 0;
    bool hasTiedEmbeddings = false;
    std::optional<Mixture> mixture;

    std::int64_t kvHidden() const { return hidden / heads * kvHeads; }
    std::int64_t mixtureLayers() const { return mixture ? layers / mixture->everyLayers : 0; }
    // Weights of all layers and embeddings: attention 2h^2 + 2h*kv, a feed-forward network 2 or 3 h*f. Norms and biases (less than
    // 0.1 %) are ignored. Experts are separate, because each of them is on one rank of the expert-parallel group.
    double denseParametersOfLayers() const, expertParametersOfLayers() const;
    double embeddingParameters() const { return static_cast<double>(vocab) * static_cast<double>(hidden); }
};

} // namespace railyard
