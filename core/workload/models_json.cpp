#include "core/workload/models_json.h"

#include "core/base/file.h"
#include "core/base/shipped.h"
#include "core/json/json_view.h"
#include "core/workload/shipped_models.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace railyard {
namespace {

constexpr std::int64_t many = 1'000'000'000, mostLayers = 10'000;
constexpr double mostParameters = 1e18; // so that they can be counted

// A key spelled wrong would be a model that nobody meant. `_` begins a comment.
void refuseOthers(const JsonView& view, std::initializer_list<std::string_view> known) {
    const Json unknown = view.unknownKeys(known);
    for (const auto& [key, value] : unknown.items())
        if (!key.starts_with('_')) view.fail(key, fmt::format("is not a known key; known keys are {}", fmt::join(known, ", ")), "unknown");
}

// A size that its source does not publish is null.
std::int64_t maybeKnown(const JsonView& view, const char* key, std::vector<std::string>& unknown, const char* within = "") {
    if (!view.has(key) || !view.at(key).json().is_null()) return view.integer(key, 1, many);
    unknown.push_back(std::string(within) + key);
    return 0;
}

std::optional<Mixture> readMixture(const JsonView& view, std::vector<std::string>& unknown) {
    if (!view.has("moe")) return {};
    const JsonView moe = view.at("moe");
    if (moe.json().is_null() || moe.json() == false) return {};
    if (!moe.isObject()) return view.fail("moe", "must be false or an object with experts and top_k"), std::nullopt;
    refuseOthers(moe, {"experts", "top_k", "shared_experts", "ffn_hidden", "every_layers", "dense_layers", "groups", "groups_per_token"});
    Mixture mixture;
    mixture.experts = moe.integer("experts", 1, many);
    mixture.topK = moe.integer("top_k", 1, std::max<std::int64_t>(mixture.experts, 1));
    mixture.sharedExperts = moe.integer("shared_experts", 0, many, 0);
    mixture.ffnHidden = maybeKnown(moe, "ffn_hidden", unknown, "moe.");
    mixture.everyLayers = moe.integer("every_layers", 1, many, 1);
    mixture.denseLayers = moe.integer("dense_layers", 0, many, 0);
    mixture.groups = moe.integer("groups", 1, std::max<std::int64_t>(mixture.experts, 1), 1);
    mixture.groupsOfToken = moe.integer("groups_per_token", 1, mixture.groups, mixture.groups);
    return mixture;
}

std::optional<LatentAttention> readLatent(const JsonView& view) {
    if (!view.has("latent_attention")) return {};
    const JsonView own = view.at("latent_attention");
    refuseOthers(own, {"q_lora_rank", "kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"});
    return LatentAttention{own.integer("q_lora_rank", 1, many), own.integer("kv_lora_rank", 1, many),
                           own.integer("qk_nope_head_dim", 1, many), own.integer("qk_rope_head_dim", 1, many),
                           own.integer("v_head_dim", 1, many)};
}

// Not too few.
double roughParameters(const TransformerModel& model) {
    const auto wide = [](std::int64_t number) { return static_cast<double>(number); };
    double networks = wide(model.ffnHidden);
    if (model.mixture) networks += wide(model.mixture->experts + model.mixture->sharedExperts) * (wide(model.mixture->ffnHidden) + 2);
    const double ofLayer = model.attentionWeights() + (3 * networks + 16) * (wide(model.hidden) + 1) +
                           wide(model.heads + 2 * model.kvHeads) * wide(model.headDim);
    return wide(model.layers) * ofLayer + (2 * wide(model.vocab) + wide(model.sequenceTokens)) * wide(model.hidden);
}

TransformerModel readModel(const JsonView& view) {
    if (!view.isObject())
        return view.fail("", "is not a model; must be an object with layers, hidden, heads and so on"), TransformerModel();
    refuseOthers(view, {"id", "name", "source", "layers", "hidden", "heads", "kv_heads", "ffn_hidden", "gated_ffn", "vocab", "vocab_padded",
                        "sequence_tokens", "tied_embeddings", "moe", "parameters", "note", "head_dim", "latent_attention"});
    TransformerModel model;
    model.id = view.text("id", "");
    model.name = view.text("name", model.id);
    model.source = view.text("source", "");
    model.layers = view.integer("layers", 1, mostLayers);
    model.hidden = maybeKnown(view, "hidden", model.unknown);
    model.heads = maybeKnown(view, "heads", model.unknown);
    const bool hasKeyHeads = view.has("kv_heads") && !view.at("kv_heads").json().is_null();
    model.kvHeads = hasKeyHeads ? view.integer("kv_heads", 1, many) : model.heads;
    model.headDim = view.integer("head_dim", 1, many, model.heads > 0 ? std::max<std::int64_t>(1, model.hidden / model.heads) : 1);
    model.ffnHidden = maybeKnown(view, "ffn_hidden", model.unknown);
    model.isFfnGated = view.flag("gated_ffn", false);
    model.vocab = maybeKnown(view, "vocab", model.unknown);
    model.vocab = view.integer("vocab_padded", 1, many, std::max<std::int64_t>(1, model.vocab));
    model.sequenceTokens = maybeKnown(view, "sequence_tokens", model.unknown);
    model.hasTiedEmbeddings = view.flag("tied_embeddings", false);
    model.mixture = readMixture(view, model.unknown);
    model.latent = readLatent(view);
    if (model.mixture && model.mixture->denseLayers > model.layers)
        view.at("moe").fail("dense_layers",
                            fmt::format("is {}, which is more than the {} layers", model.mixture->denseLayers, model.layers));
    const auto isGiven = [&](const char* key) {
        return view.has(key) && view.at(key).json().is_number_integer();
    }; // else that is the error
    if (isGiven("hidden") && isGiven("heads") && model.heads > 0 && model.hidden % model.heads != 0 && !view.has("head_dim") &&
        !model.latent)
        view.fail("heads", fmt::format("is {}, which does not divide hidden = {}", model.heads, model.hidden));
    if (isGiven("heads") && model.kvHeads > model.heads)
        view.fail("kv_heads", fmt::format("is {}, which is more than the {} heads", model.kvHeads, model.heads));
    if (roughParameters(model) > mostParameters) view.fail("", "has more than 10^18 parameters");
    return model;
}

Result<std::vector<TransformerModel>> readModels(const std::string& text, const std::string& file) {
    auto json = parseJson(text, file);
    if (!json) return json.errors();
    const JsonSource source{file, text, std::move(*json), {}};
    std::vector<TransformerModel> models;
    JsonView::root(source).eachItem("models", [&](const JsonView& view) { models.push_back(readModel(view)); });
    if (!source.errors.empty()) return source.errors;
    return models;
}

} // namespace

const std::vector<TransformerModel>& shippedModels() {
    static const std::vector<TransformerModel> shipped = shippedOrAbort(readModels(shippedModelsText(), "models.json"), "list of models");
    return shipped;
}

Result<TransformerModel> modelOf(const std::string& idOrFile) {
    std::string ids;
    for (const TransformerModel& model : shippedModels()) {
        if (model.id == idOrFile && !model.unknown.empty())
            return Error::unbuildable(fmt::format("{} cannot be used, because its source does not publish {}. Pass a .json file with all "
                                                  "values of the model instead",
                                                  model.name, fmt::join(model.unknown, ", ")));
        if (model.id == idOrFile) return model;
        if (model.unknown.empty()) ids += (ids.empty() ? "" : ", ") + model.id;
    }
    if (!idOrFile.ends_with(".json"))
        return Error::parameter(Error::Kind::Usage, "choice", "model", idOrFile,
                                fmt::format("must be one of {}, or a file ending in .json", ids));
    const auto text = readFile(idOrFile, mostJsonBytes);
    return text ? modelFrom(*text, idOrFile) : Result<TransformerModel>(text.errors());
}

Result<TransformerModel> modelFrom(const std::string& text, const std::string& file) {
    auto json = parseJson(text, file);
    if (!json) return json.errors();
    const JsonSource source{file, text, std::move(*json), {}};
    TransformerModel model = readModel(JsonView::root(source));
    for (const std::string& key : model.unknown) {
        const std::size_t dot = key.find('.');
        const JsonView root = JsonView::root(source);
        const JsonView view = dot == key.npos ? root : root.at(key.substr(0, dot));
        view.fail(key.substr(dot + 1), "is null; a file has to give it", "required"); // npos + 1 is 0
    }
    if (!source.errors.empty()) return source.errors;
    return model;
}

} // namespace railyard
