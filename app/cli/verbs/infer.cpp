#include "app/cli/options/parameter_options.h"
#include "app/cli/verbs/verb.h"
#include "core/base/unit_text.h"
#include "core/inference/inference_parameters.h"
#include "core/io/results/inference_json.h"
#include "core/io/tables/flow_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct InferOptions {
    DesignInput input;
    std::string traffic;
    std::shared_ptr<ParameterTexts> given = std::make_shared<ParameterTexts>();
    bool overBatch = false;
    AnswerOptions answer;

    void addTo(CLI::App& verb) {
        input.addTo(verb, true);
        addParameters(verb, inferenceParameters(), usualInference(), given);
        verb.add_option("--traffic", traffic,
                        "also write the GPU-to-GPU traffic matrix (bytes/s) to this CSV file; `loads --pattern` reads it");
        verb.add_flag("--over-batch", overBatch, "also batches of 1, 2, 4 and so on that fit");
        answer.addTo(verb);
    }
    Result<InferenceRequest> request() const {
        auto request = settingsFrom(inferenceParameters(), usualInference(), *given, "infer");
        if (request) request->seed = static_cast<std::uint64_t>(input.seed);
        return request;
    }
};

void print(const InferenceEstimate& e) {
    const auto line = [](const char* name, const std::string& value) { fmt::print("  {:<28}{}\n", name, value); };
    fmt::print("{} on {} GPUs, {} replicas of tp {}, pp {}{}{}\n", e.request.model.name, formatCount(e.gpus), formatCount(e.replicas),
               e.request.tensor, e.request.pipeline, e.request.expert > 1 ? fmt::format(", ep {}", e.request.expert) : "",
               e.request.prefillShare > 0
                   ? fmt::format("; {} for prefill, {} for decoding", formatCount(e.prefillReplicas), formatCount(e.decodeReplicas))
                   : "");
    line("Time to first token", formatSeconds(e.timeToFirstToken));
    line("Time per output token", formatSeconds(e.timePerOutputToken));
    line("Throughput", fmt::format("{:.4g} requests/s, {} output tokens/s, {:.4g} per GPU", e.requestsPerSecond,
                                   formatCount(std::llround(e.tokensPerSecond())), e.tokensPerSecondPerGpu()));
    line("Network share",
         fmt::format("{} of a prompt, {} of an output token", formatShare(e.prefill.networkShare()), formatShare(e.decode.networkShare())));
    if (e.request.prefillShare > 0) {
        line("Transfer of keys and values", formatSeconds(e.cacheTransfer));
        line("Balanced prefill share", fmt::format("{:.3g}", e.balancedPrefillShare));
    }
    line("Batch of a replica", fmt::format("{} of {} sequences that fit", formatCount(e.batch), formatCount(e.mostSequences)));
    line("Memory of the fullest GPU",
         fmt::format("needs {:.1f} GiB{}: {:.1f} weights, {:.1f} keys and values", e.memory.total(),
                     e.memory.capacity > 0 ? fmt::format(", has {:.1f} GiB", e.memory.capacity) : "", e.memory.weights, e.memory.cache));
    line("Uncertainty", fmt::format("×{:g} to ×{:g} (not calibrated for inference)", e.low, e.high));
    for (const std::string& reason : e.reasons) fmt::print("  Does not fit: {}\n", reason);
}

int runInfer(const InferOptions& o) {
    const auto request = o.request();
    if (!request) return report(request.errors());
    if (o.traffic == "-" && !o.answer.wantsText()) return report({oneOutput("--traffic")});
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    const auto estimate = estimateInference(*loaded->fabric, *request);
    if (!estimate) return report(estimate.errors());
    if (!o.traffic.empty()) {
        const auto flows = inferenceFlows(*loaded->fabric, *request);
        if (!flows) return report(flows.errors());
        if (const Status written = writeFlows(*loaded->fabric, *flows, o.traffic); !written) return report(written.errors());
    }
    std::vector<InferenceEstimate> curve;
    if (o.overBatch) {
        auto found = inferenceCurve(*loaded->fabric, *request);
        if (!found) return report(found.errors());
        curve = std::move(*found);
    }
    const int code = estimate->isFeasible() ? 0 : 1;
    Json json = toJson(*estimate);
    if (o.overBatch) json["curve"] = toJson(curve);
    if (!o.answer.wantsText()) return o.answer.give(withFailures(json, o.input), code);
    print(*estimate);
    if (o.overBatch) fmt::print("{:>8} {:>16} {:>20}\n", "batch", "per output token", "tokens/s per GPU");
    for (const InferenceEstimate& each : curve)
        fmt::print("{:>8} {:>16} {:>20.4g}\n", each.batch, formatSeconds(each.timePerOutputToken), each.tokensPerSecondPerGpu());
    return code;
}

Run addInfer(CLI::App& verb) {
    auto options = std::make_shared<InferOptions>();
    options->addTo(verb);
    return [=] { return runInfer(*options); };
}

} // namespace

const VerbInfo inferVerb{"infer", "estimate the latency, throughput and memory of serving a model", neverShowsPrices, addInfer};

} // namespace railyard::cli
