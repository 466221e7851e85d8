#include "app/cli/options/train_options.h"
#include "app/cli/verbs/verb.h"
#include "core/base/unit_text.h"
#include "core/inference/reinforcement.h"
#include "core/io/results/inference_json.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct RlhfOptions {
    TrainOptions train;
    std::int64_t prompt = 512, output = 1024, tensor = 0, batch = 0, scoring = 2;
    AnswerOptions answer;
};

void print(const ReinforcementEstimate& e) {
    const auto part = [&](const char* name, Seconds time, const std::string& how) {
        fmt::print("  {:<28}{:>10}{:>8.1f} %  {}\n", name, formatSeconds(time), time / e.iteration() * 100, how);
    };
    fmt::print("{} on {} GPUs: {} per iteration of {} answers, {:.4g} answers/s\n", e.training.job.model.name,
               formatCount(e.training.job.gpus()), formatSeconds(e.iteration()), formatCount(e.training.job.globalBatch),
               e.answersPerSecond());
    part("Resharding of weights", e.resharding, "");
    part("Generation", e.generating,
         fmt::format("{} replicas of tp {}, {} answers in parallel per replica, {} {}", formatCount(e.generation.replicas),
                     e.generation.request.tensor, formatCount(e.generation.batch), formatCount(e.waves), e.waves == 1 ? "wave" : "waves"));
    part("Scoring", e.scoring, fmt::format("{} models", e.request.scoringModels));
    part("Training", e.updating,
         fmt::format("exposed network share {}", formatShare(e.training.exposedOnNetwork() / e.training.iteration)));
    for (const std::string& reason : e.reasons) fmt::print("  Does not fit: {}\n", reason);
}

int runRlhf(const RlhfOptions& o) {
    const auto calibration = o.train.calibration();
    if (!calibration) return report(calibration.errors());
    auto loaded = load(o.train.input);
    if (!loaded) return report(loaded.errors());
    auto placed = o.train.placedOn(*loaded->fabric);
    if (!placed) return report(placed.errors());
    const ReinforcementRequest request{
        std::move(*placed), o.train.request(*loaded->fabric)->planned.plan, o.prompt, o.output, o.tensor, 1, o.batch, o.scoring};
    const auto estimate = estimateReinforcement(*loaded->fabric, request, *calibration);
    if (!estimate) return report(estimate.errors());
    const int code = estimate->reasons.empty() ? 0 : 1;
    Json json = toJson(*estimate);
    json["job_source"] = o.train.job.source(*loaded->design);
    if (!o.answer.wantsText()) return o.answer.give(withFailures(json, o.train.input), code);
    print(*estimate);
    fmt::print("  {:<28}{}\n", "Other job options", o.train.job.sourceText(*loaded->design));
    return code;
}

Run addRlhf(CLI::App& verb) {
    auto options = std::make_shared<RlhfOptions>();
    options->train.addTo(verb);
    const CLI::Range tokens(1, 10'000'000);
    verb.add_option("--prompt", options->prompt, "tokens of a prompt")->check(tokens)->capture_default_str();
    verb.add_option("--output", options->output, "tokens of an answer")->check(tokens)->capture_default_str();
    verb.add_option("--generation-tp", options->tensor, "tensor-parallel size of generation; default: as of training")
        ->check(CLI::Range(1, 1'000'000));
    verb.add_option("--generation-batch", options->batch,
                    "answers that a replica generates at once; default: as many as fit beside the state of training, at most 256")
        ->check(CLI::Range(1, 1'000'000));
    verb.add_option("--scoring-models", options->scoring, "models of the same size that score every answer with a forward pass")
        ->check(CLI::Range(0, 16))
        ->capture_default_str();
    options->answer.addTo(verb);
    return [=] { return runRlhf(*options); };
}

} // namespace

const VerbInfo rlhfVerb{"rlhf", "estimate reinforcement learning: generation, scoring and training in turn", neverShowsPrices, addRlhf};

} // namespace railyard::cli
