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
    std::int64_t everyLayers = 1; // of the layers after the dense ones, every n-th has experts
    std::int64_t denseLayers = 0; // the first layers, without experts
    // Limited routing: all experts are divided into equal groups, and those of a token are in at most `groupsOfToken` of them.
    std::int64_t groups = 1, groupsOfToken = 1;
};

// Multi-head latent attention: queries, keys and values are projected from vectors of lower rank (DeepSeek-V2, arXiv 2405.04434).
struct LatentAttention {
    std::int64_t queryRank = 0, keyValueRank = 0;
    std::int64_t plainHeadDim = 0, rotaryHeadDim = 0, valueHeadDim = 0; // of queries and keys without and with rotary positions
};

struct TransformerModel {
    std::string id, name, source;
    std::int64_t layers = 0, hidden = 0, heads = 0, kvHeads = 0, headDim = 0, ffnHidden = 0;
    bool isFfnGated = false; // three matrices instead of two; norms without biases, rotary positions
    std::int64_t vocab = 0;  // padded
    std::int64_t sequenceTokens = 0;
    bool hasTiedEmbeddings = false;
    std::optional<Mixture> mixture;
    std::optional<LatentAttention> latent;
    std::vector<std::string> unknown; // keys that its source does not publish; their values here are 0

    std::int64_t kvHidden() const; // values per token of the keys; as many of the values
    std::int64_t mixtureLayers() const { return mixture ? (layers - mixture->denseLayers) / mixture->everyLayers : 0; }
    double attentionWeights() const; // of one layer, without biases
    // Values per token and layer that attention multiplies with every earlier token: those of the queries, and those of the values.
    std::int64_t scoreWidth() const, valueWidth() const;
    // Weights of all layers and embeddings. Norms and biases (less than 0.1 %) are ignored. Experts are separate, because each of them is
    // on one rank of the expert-parallel group.
    double denseParametersOfLayers() const { return denseParametersOf(layers, mixtureLayers()); }
    double expertParametersOfLayers() const { return expertParametersOf(mixtureLayers()); }
    // The same of some of the layers, `mixtures` of them with experts.
    double denseParametersOf(std::int64_t someLayers, std::int64_t mixtures) const, expertParametersOf(std::int64_t mixtures) const;
    bool hasExperts(std::int64_t layer) const; // counted from 0
    double embeddingParameters() const { return static_cast<double>(vocab) * static_cast<double>(hidden); }
    // All parameters, exactly as published: with norms, biases and embeddings. Narayanan et al. (SC'21) eq. 2 for networks that are not
    // gated. Empty if the source does not publish a size.
    std::optional<std::int64_t> parameters() const;
};

} // namespace railyard
