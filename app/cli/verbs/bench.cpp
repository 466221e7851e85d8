#include "app/cli/verbs/verb.h"
// Times of the engine, so that anyone can measure what the documentation claims.

#include "core/analysis/metrics/metrics.h"
#include "core/base/thread_cpu.h"
#include "core/base/unit_text.h"
#include "core/design/recipes/recipe.h"
#include "core/routing/link_loads.h"
#include "core/training/search.h"
#include "core/workload/models_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <sys/resource.h>

namespace railyard::cli {
namespace {

// GPT-3 175B with one sequence per GPU.
TrainingJob benchedJob(const Fabric& fabric) {
    TrainingJob job = usualJob(*modelOf("gpt3-175b"));
    job.globalBatch = countsOf(fabric).gpus;
    return job;
}

// One row a benchmark: what runs between two readings of the thread's CPU clock.
struct Bench {
    std::string_view name;
    void (*work)(const FabricPointer& fabric);
};
constexpr Bench benches[] = {
    {"elaborate", [](const FabricPointer& fabric) { elaborate(fabric->design); }},
    {"metrics",
     [](const FabricPointer& fabric) {
         instantMetrics(*fabric);
         backgroundMetrics(*fabric);
     }},
    {"bisection", [](const FabricPointer& fabric) { bisections(*fabric); }},
    {"loads",
     [](const FabricPointer& fabric) {
         static_cast<void>(linkLoads(*fabric, {true, {}, {}}, {}));
     }},
    {"collective",
     [](const FabricPointer& fabric) {
         const auto group = Communicator::create(*fabric, 0, RankOrder::Near);
         if (group) static_cast<void>(group->time(CollectiveOp::AllReduce, Bytes(std::int64_t{1} << 30)));
     }},
    {"train",
     [](const FabricPointer& fabric) {
         const PlacedJob placed = placedJob(benchedJob(*fabric), *fabric, RankOrder::Near);
         static_cast<void>(estimateTraining(*fabric, placed, {}));
     }},
    {"search",
     [](const FabricPointer& fabric) {
         const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
         const TrainingJob job = benchedJob(*fabric);
         static_cast<void>(searchTraining(*fabric, job, gpus, {}, usualSpace(*fabric, job, gpus), {}));
     }},
};

struct BenchOptions {
    std::string name;
    std::int64_t gpus = 65536;
    int runs = 5;
    AnswerOptions answer;
};

double peakMebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::vector<double> sortedTimes(const Bench& bench, const FabricPointer& fabric, int runs) {
    std::vector<double> milliseconds;
    for (int run = 0; run < runs; ++run) {
        const double start = threadCpuMilliseconds();
        bench.work(fabric);
        milliseconds.push_back(threadCpuMilliseconds() - start);
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    return milliseconds;
}

int runBenches(const BenchOptions& o) {
    std::string names;
    for (const Bench& bench : benches) names += (names.empty() ? "" : ", ") + std::string(bench.name);
    const auto isAsked = [&](const Bench& bench) { return o.name.empty() || o.name == bench.name; };
    if (std::none_of(std::begin(benches), std::end(benches), isAsked))
        return report({Error::usage(fmt::format("bench {}: must be one of {} in this version", o.name, names))});
    const auto design = build({"superpod-h100", {{"gpus", std::to_string(o.gpus)}}}, "bench", shippedCatalog());
    if (!design) return report(design.errors());
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(*design));
    Json rows = Json::array();
    for (const Bench& bench : benches) {
        if (!isAsked(bench)) continue;
        const std::vector<double> times = sortedTimes(bench, fabric, o.runs);
        const auto at = [&](double fraction) { return times[static_cast<std::size_t>(fraction * static_cast<double>(o.runs - 1) + 0.5)]; };
        rows.push_back({{"name", bench.name},
                        {"gpus", o.gpus},
                        {"runs", o.runs},
                        {"median_ms", at(0.5)},
                        {"p95_ms", at(0.95)},
                        {"peak_rss_mib", peakMebibytes()}});
        if (o.answer.wantsText())
            fmt::print("{:<12}{:>9} GPUs{:>5} runs   median {:>9.2f} ms   95th percentile {:>9.2f} ms\n", bench.name, formatCount(o.gpus),
                       o.runs, at(0.5), at(0.95));
    }
    return o.answer.wantsText() ? 0 : o.answer.give({{"schema", "railyard.bench/1"}, {"benches", std::move(rows)}});
}

Run addBench(CLI::App& verb) {
    auto options = std::make_shared<BenchOptions>();
    verb.add_option("NAME", options->name, "elaborate, metrics, bisection, loads, collective, train or search; default: all");
    verb.add_option("--gpus", options->gpus, "size of the design, an H100 SuperPOD: a multiple of 8")
        ->check(CLI::Range(std::int64_t{16}, std::int64_t{262'144}))
        ->capture_default_str();
    verb.add_option("--runs", options->runs, "runs of each benchmark")->check(CLI::Range(1, 10'000))->capture_default_str();
    options->answer.addTo(verb);
    return [=] { return runBenches(*options); };
}

} // namespace

const VerbInfo benchVerb{"bench", "measure single-thread CPU times of the engine", neverShowsPrices, addBench};

} // namespace railyard::cli
