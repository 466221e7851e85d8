#include "app/cli/options/say_progress.h"
#include "app/cli/options/train_options.h"
#include "app/cli/verbs/verb.h"
#include "core/base/unit_text.h"
#include "core/io/results/training_json.h"
#include "core/training/search_placements.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <thread>

namespace railyard::cli {
namespace {

struct SearchOptions {
    TrainOptions train;
    std::int64_t top = 5;
    std::string objective = "time";
    int threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 256u));
    AnswerOptions answer;
    const CLI::App* verb = nullptr;

    bool isGiven(const char* option) const { return verb->get_option(option)->count() > 0; }
};

// A cheaper run may take longer: then the GPU time is what differs.
std::string whyWorse(const TrainingEstimate& best, const TrainingEstimate& other) {
    const auto gpuSeconds = [](const TrainingEstimate& e) { return e.iteration.value() * static_cast<double>(e.job.gpus()); };
    if (best.job.gpus() == other.job.gpus()) return whySlower(best, other);
    return fmt::format("{:.1f} % more GPU time", (gpuSeconds(other) / gpuSeconds(best) - 1) * 100);
}

// Why there is nothing: the nearest miss, or what is wrong with every division.
std::vector<Error> whyNothing(const SearchResult& result) {
    if (result.nearest) return {Error::unbuildable("nothing fits in memory; the nearest: " + result.nearest->reasons.front())};
    if (!result.problems.empty()) return result.problems;
    if (!result.isComplete) return {Error::unbuildable("the search was stopped before a configuration was costed")};
    return {Error::unbuildable("no division of these GPUs suits the model, the global batch and the options that are given; change --gpus, "
                               "--global-batch or one of them")};
}

Json jsonOf(const SearchResult& result, const SearchOptions& o, double seconds, std::string_view source) {
    Json best = Json::array(), front = Json::array(), reasons = Json::array();
    if (result.best.empty())
        for (const Error& each : whyNothing(result)) reasons.push_back(each.text);
    for (const TrainingEstimate& each : result.best) best.push_back(toJson(each));
    for (const SearchPoint& each : result.front) front.push_back(toJson(each));
    return {{"schema", "railyard.search/1"},
            {"objective", o.objective},
            {"job_source", source},
            {"evaluated", result.evaluated},
            {"feasible", result.evaluated},
            {"too_large", result.tooLarge},
            {"pruned_divisions", result.pruned},
            {"complete", result.isComplete},
            {"seconds", seconds},
            {"evaluations_per_s", seconds > 0 ? Json(static_cast<double>(result.evaluated) / seconds) : Json()},
            {"space", result.space.text()},
            {"best", best},
            {"runner_up", result.best.size() > 1 ? Json(whyWorse(result.best[0], result.best[1])) : Json()},
            {"front", front},
            {"nearest", result.nearest ? toJson(*result.nearest) : Json()},
            {"reasons", reasons}};
}

// What the degrees do not say, as the options of `train`.
std::string choicesOf(const TrainingJob& job, const IterationSchedule& schedule) {
    return fmt::format("micro-batch {}, interleave {}, recompute {}, zero {}, overlap-dp {}, overlap-tp {}, offload {}", job.microBatch,
                       schedule.interleave, toText(job.recompute), schedule.zero, schedule.overlapsData ? "on" : "off",
                       toText(schedule.overlapTensor), toText(schedule.offload));
}

void print(const SearchResult& result, Objective objective) {
    fmt::print("{} configurations costed, {} did not fit in memory\n", formatCount(result.evaluated), formatCount(result.tooLarge));
    for (std::size_t i = 0; i < result.best.size(); ++i) {
        const TrainingEstimate& own = result.best[i];
        printEstimate(own);
        fmt::print("  {:<28}{}\n", "Configuration", choicesOf(own.job, scheduleOf(own.job, own.plan)));
        if (const std::string why = i > 0 ? whyWorse(result.best[0], own) : std::string(); !why.empty())
            fmt::print("  {:<28}{}\n", "Compared with the best", why);
    }
    if (result.front.size() < 2) return;
    fmt::print("{}:\n", objective == Objective::Time ? "Less memory for more time" : "Less memory for more GPU time");
    for (const SearchPoint& each : result.front)
        fmt::print("  {:>10} {:>8.1f} GiB  {} GPUs, tp {}, pp {}, dp {}, cp {}, ep {}, {}\n", formatSeconds(each.iteration), each.memoryGib,
                   formatCount(each.job.gpus()), each.job.by(Parallel::Tensor), each.job.by(Parallel::Pipeline),
                   each.job.by(Parallel::Data), each.job.by(Parallel::Context), each.job.expertRanks(), choicesOf(each.job, each.schedule));
}

// A handler may do no more than set a flag.
std::atomic<bool> isInterrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

// While it lives, Ctrl+C ends the search wherever it is, and the results so far are shown. A second one ends the program.
class Interrupt {
public:
    Interrupt() {
        std::signal(SIGINT, [](int) {
            isInterrupted = true;
            std::signal(SIGINT, SIG_DFL);
        });
        m_watcher = std::jthread([this](const std::stop_token& end) {
            constexpr std::chrono::milliseconds pause(50);
            std::unique_lock lock(m_mutex);
            while (!end.stop_requested() && !isInterrupted) m_ends.wait_for(lock, end, pause, [] { return isInterrupted.load(); });
            if (isInterrupted) m_stop.request_stop();
        });
    }
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    ~Interrupt() { std::signal(SIGINT, SIG_DFL); }
    std::stop_token token() const { return m_stop.get_token(); }

private:
    std::stop_source m_stop;
    std::mutex m_mutex;
    std::condition_variable_any m_ends;
    std::jthread m_watcher; // asked to end where it is destroyed, before what it uses
};

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
    const TrainingPlan plan = o.train.request(fabric)->planned.plan;
    const Objective objective = *objectiveFrom(o.objective);
    const auto spaceOf = [&](const std::vector<DeviceId>& on) {
        SearchSpace space = usualSpace(fabric, placed->job, on, objective);
        keepGiven(
            space, [&](std::string_view key) { return o.train.job.isGiven(key); }, placed->job, plan);
        return space;
    };
    const bool isPlaced = o.isGiven("--per-domain") || o.isGiven("--order");
    const std::vector<PlacementChoice> choices = isPlaced ? std::vector<PlacementChoice>{{*gpus, 0}} : placementsToTry(fabric, *gpus);
    const auto progress = [](std::int64_t done, std::int64_t all) { sayProgress(done, all, "divisions searched"); };
    const SearchRequest request{objective, static_cast<std::size_t>(o.top), o.threads, progress};
    const auto begin = std::chrono::steady_clock::now();
    std::optional<Interrupt> interrupt(std::in_place);
    const auto result = searchPlacements(fabric, placed->job, choices, plan, spaceOf, request, interrupt->token(), *calibration);
    interrupt.reset();
    if (!result) return report(result.errors());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!result->isComplete) fmt::print(stderr, "railyard-cli: the search was stopped; these are the results so far\n");
    const int code = result->best.empty() ? 1 : 0;
    if (code == 1) report(whyNothing(*result));
    if (!o.answer.wantsText())
        return o.answer.give(withFailures(jsonOf(*result, o, seconds, o.train.job.source(*loaded->design)), o.train.input), code);
    print(*result, objective);
    return code;
}

// What is not given is searched, whatever `train` would take.
void describeSearched(CLI::App& verb) {
    for (const auto& [name, of] :
         {std::pair<const char*, const char*>("--tp", "tensor-parallel size; default: powers of two up to the HB domain or 8"),
          {"--pp", "pipeline-parallel size (number of stages); default: all divisors of the GPUs up to the layers"},
          {"--cp", "context-parallel size; default: powers of two up to 16 where sequences are longer than 16,384 tokens"},
          {"--ep", "expert-parallel size; default: powers of two up to 64 where the model has experts"},
          {"--micro-batch", "sequences per micro-batch; default: 1 to 16 are tried"},
          {"--interleave", "model chunks per pipeline stage; default: 1 to 24 are tried"},
          {"--recompute", "activation recomputation, none, selective, full or gemm-last; default: all are tried"},
          {"--zero", "ZeRO stage, 0 to 3; default: all are tried"},
          {"--overlap-dp", "overlap gradients with the backward pass, on or off; default: both are tried"},
          {"--overlap-tp", "overlap of tensor-parallel communication: none, pipeline or bulk; default: all are tried"},
          {"--offload", "what is kept in the memory of the host: none, optimizer or activations; default: all are tried"},
          {"--global-batch", "sequences per iteration; default: that of `train` with the same options"}})
        verb.get_option(name)->description(of)->default_str(std::string());
    verb.get_option("--dp")->group(std::string()); // which is refused: it takes the rest of the GPUs
}

Run addSearch(CLI::App& verb) {
    auto search = std::make_shared<SearchOptions>();
    search->train.addTo(verb);
    describeSearched(verb);
    verb.add_option("--top", search->top, "how many of the fastest configurations to show")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    verb.add_option("--objective", search->objective, "objective: time, cost or energy of the run; cost and energy also try fewer GPUs")
        ->check(CLI::IsMember({"time", "cost", "energy"}))
        ->capture_default_str();
    verb.add_option("--threads", search->threads, "number of threads; does not affect the result; default: one per core")
        ->check(CLI::Range(1, 256));
    search->answer.addTo(verb);
    search->verb = &verb;
    return [=] { return runSearch(*search); };
}

} // namespace

const VerbInfo searchVerb{"search", "find the fastest division of a training job over the GPUs", neverShowsPrices, addSearch};

} // namespace railyard::cli
