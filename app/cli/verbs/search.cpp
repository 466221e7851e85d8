#include "core/training/search.h"
#include "app/cli/options/train_options.h"
#include "app/cli/verbs/verb.h"
#include "core/base/unit_text.h"
#include "core/io/results/training_json.h"

#include <chrono>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct SearchOptions {
    TrainOptions train;
    std::int64_t top = 5;
    AnswerOptions answer;
    const CLI::App* verb = nullptr;

    bool isGiven(const char* option) const { return verb->get_option(option)->count() > 0; }
};

// What is given is not searched.
void narrow(SearchSpace& space, const SearchOptions& o, const TrainingJob& job) {
    const auto only = [&](const char* option, std::vector<std::int64_t>& values, std::int64_t value) {
        if (o.isGiven(option)) values = {value};
    };
    only("--tp", space.tensor, job.by(Parallel::Tensor));
    only("--pp", space.pipeline, job.by(Parallel::Pipeline));
    only("--cp", space.context, job.by(Parallel::Context));
    only("--ep", space.expert, job.by(Parallel::Expert));
    only("--micro-batch", space.microBatches, job.microBatch);
    only("--interleave", space.interleaves, job.interleave);
    if (o.isGiven("--recompute")) space.recompute = {job.recompute};
    if (o.isGiven("--zero")) space.zero = {job.zero};
}

Json jsonOf(const SearchResult& result, double seconds) {
    Json best = Json::array();
    for (const TrainingEstimate& each : result.best) best.push_back(toJson(each));
    return {{"schema", "railyard.search/1"},
            {"evaluated", result.evaluated},
            {"feasible", result.feasible},
            {"too_large", result.tooLarge},
            {"seconds", seconds},
            {"evaluations_per_s", seconds > 0 ? Json(static_cast<double>(result.evaluated) / seconds) : Json()},
            {"space", result.space.text()},
            {"best", best},
            {"nearest", result.nearest ? toJson(*result.nearest) : Json()}};
}

int runSearch(const SearchOptions& o) {
    if (o.isGiven("--dp")) return report({Error::usage("--dp: is not searched, because it takes the rest of the GPUs; choose --gpus")});
    const auto calibration = o.train.calibration();
    if (!calibration) return report(calibration.errors());
    auto loaded = load(o.train.input);
    if (!loaded) return report(loaded.errors());
    const Fabric& fabric = *loaded->fabric;
    const auto gpus = o.train.gpusOn(fabric);
    if (!gpus) return report(gpus.errors());
    const auto placed = o.train.job.placedOn(fabric, *gpus);
    if (!placed) return report(placed.errors());
    SearchSpace space = usualSpace(fabric, placed->job, *gpus);
    narrow(space, o, placed->job);
    const auto begin = std::chrono::steady_clock::now();
    const auto result =
        searchTraining(fabric, placed->job, *gpus, o.train.plan(), space, static_cast<std::size_t>(o.top), {}, *calibration);
    if (!result) return report(result.errors());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const int code = result->best.empty() ? 1 : 0;
    if (code == 1)
        report({Error::unbuildable(
            result->nearest ? "nothing fits in memory; the nearest: " + result->nearest->reasons.front()
                            : "no division of these GPUs suits the model and the global batch; change --gpus or --global-batch")});
    if (!o.answer.wantsText()) return o.answer.give(withFailures(jsonOf(*result, seconds), o.train.input), code);
    fmt::print("{} configurations costed, {} did not fit in memory\n", formatCount(result->evaluated), formatCount(result->tooLarge));
    for (const TrainingEstimate& each : result->best) printEstimate(each);
    return code;
}

Run addSearch(CLI::App& verb) {
    auto search = std::make_shared<SearchOptions>();
    search->train.addTo(verb);
    verb.add_option("--top", search->top, "how many of the fastest configurations to show")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    search->answer.addTo(verb);
    search->verb = &verb;
    return [=] { return runSearch(*search); };
}

} // namespace

const VerbInfo searchVerb{"search", "find the fastest division of a training job over the GPUs", neverShowsPrices, addSearch};

} // namespace railyard::cli
