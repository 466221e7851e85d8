#include "app/cli/options/train_options.h"
#include "app/cli/verbs/verb.h"
#include "core/analysis/metrics/run_cost.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/io/results/training_json.h"
#include "core/io/tables/timeline_table.h"
#include "core/training/pipeline_timeline.h"
#include "core/training/shared_cluster.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct MoreOptions {
    std::string over, timeline, jobs;
    bool cost = false;
};

void print(const TrainingCurve& curve) {
    fmt::print("{:>12} {:>12} {:>8} {:>10} {:>10}\n", toText(curve.axis), "iteration", "MFU", "exposed", "days");
    for (const TrainingPoint& point : curve.points) {
        if (!point.estimate) {
            fmt::print("{:>12g} {}\n", point.x, point.why);
            continue;
        }
        const TrainingEstimate& e = *point.estimate;
        fmt::print("{:>12g} {:>12} {:>6.1f} % {:>8.1f} % {:>10.3g}{}\n", point.x, formatSeconds(e.iteration), e.modelShare() * 100,
                   e.breakdown.exposed() / e.iteration * 100, e.days(), e.isFeasible() ? "" : "  does not fit");
    }
}

void print(const RunCost& cost) {
    if (cost.energyKwh) fmt::print("  {:<28}{} kWh\n", "Energy of the run", formatCount(std::llround(*cost.energyKwh)));
    const char* least = cost.unpricedLines > 0 ? "at least " : "";
    if (const auto total = cost.totalUsd())
        fmt::print("  {:<28}{}{} USD: {} hardware, {} energy, {} space\n", "Cost of the run", least, formatCount(std::llround(*total)),
                   formatCount(std::llround(cost.hardwareUsd)), formatCount(std::llround(*cost.energyUsd)),
                   formatCount(std::llround(*cost.spaceUsd)));
    else
        fmt::print("  {:<28}not known, because the power of a part is not; hardware {}{} USD\n", "Cost of the run", least,
                   formatCount(std::llround(cost.hardwareUsd)));
}

// Several jobs at the same time. Exit code 1 if one of them does not fit.
int runJobs(const TrainOptions& o, const MoreOptions& more, const AnswerOptions& answer) {
    const std::string& file = more.jobs;
    std::string given = o.firstGiven("--calibration");
    if (given.empty()) given = !more.over.empty() ? "--over" : !more.timeline.empty() ? "--timeline" : more.cost ? "--cost" : "";
    if (!given.empty()) return report({Error::usage(given + ": is not used with --jobs, whose file states the options of every job")});
    const auto calibration = o.calibration();
    if (!calibration) return report(calibration.errors());
    const auto text = readText(file);
    if (!text) return report(text.errors());
    auto jobs = readJobs(*text, file);
    if (!jobs) return report(jobs.errors());
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    for (NamedJob& job : *jobs) job.request.seed = static_cast<std::uint64_t>(o.input.seed);
    const auto found = trainTogether(*loaded->fabric, *jobs, *calibration);
    if (!found) return report(found.errors());
    const bool fit = std::all_of(found->begin(), found->end(), [](const JobOnCluster& job) { return job.alone.isFeasible(); });
    if (!answer.wantsText()) return answer.give(withFailures(toJson(*found), o.input), fit ? 0 : 1);
    fmt::print("{:<16} {:>8} {:>12} {:>22} {:>22}\n", "job", "GPUs", "alone", "with the others", "all at the same time");
    for (const JobOnCluster& job : *found)
        fmt::print("{:<16} {:>8} {:>12} {:>12} {:>8}% {:>13} {:>7}%{}\n", job.name, formatCount(job.placed.job.gpus()),
                   formatSeconds(job.alone.iteration), formatSeconds(job.expected.iteration),
                   fmt::format("{:+.1f} ", (job.slowdown() - 1) * 100), formatSeconds(job.worst.iteration),
                   fmt::format("{:+.1f} ", (job.worstSlowdown() - 1) * 100), job.alone.isFeasible() ? "" : "  does not fit");
    return fit ? 0 : 1;
}

int runTrain(const TrainOptions& o, const MoreOptions& more, const AnswerOptions& answer) {
    if (more.timeline == "-" && !answer.wantsText()) return report({oneOutput("--timeline")});
    const auto calibration = o.calibration();
    if (!calibration) return report(calibration.errors());
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    const auto placed = o.placedOn(*loaded->fabric);
    if (!placed) return report(placed.errors());
    const TrainingPlan plan = o.request(*loaded->fabric)->planned.plan;
    std::optional<TrainingCurve> curve;
    if (!more.over.empty()) {
        const auto axis = std::find(trainingAxisNames.begin(), trainingAxisNames.end(), more.over) - trainingAxisNames.begin();
        auto found = trainingCurve(*loaded->fabric, *placed, plan, static_cast<TrainingAxis>(axis), *calibration);
        if (!found) return report(found.errors());
        curve = std::move(*found);
    }
    const auto estimate = estimateTraining(*loaded->fabric, *placed, plan, *calibration);
    if (!estimate) return report(o.job.asGiven(estimate.errors()));
    const auto checks = checksOf(*loaded->fabric, placed->gpus, *calibration);
    if (!checks) return report(checks.errors());
    if (!more.timeline.empty()) {
        const auto timeline = pipelineTimeline(*loaded->fabric, *placed, plan, *calibration);
        if (!timeline) return report(timeline.errors());
        if (const Status written = writeTimeline(*timeline, more.timeline); !written) return report(written.errors());
    }
    const int code = estimate->isFeasible() ? 0 : 1;
    Json json = toJson(*estimate);
    json["job_source"] = o.job.source(*loaded->design);
    if (curve) json["curve"] = toJson(*curve);
    std::optional<RunCost> cost;
    if (more.cost) {
        cost = runCostOf(billOf(*loaded->fabric, cablingOf(*loaded->fabric)), countsOf(*loaded->fabric).gpus, *estimate);
        json["run_cost"] = toJson(*cost);
    }
    if (!checks->empty()) json["calibration_checks"] = toJson(*checks);
    if (!answer.wantsText()) return answer.give(withFailures(json, o.input), code);
    printEstimate(*estimate);
    fmt::print("  {:<28}{}\n", "Other job options", o.job.sourceText(*loaded->design));
    printChecks(*checks);
    if (cost) print(*cost);
    if (curve) print(*curve);
    return code;
}

Run addTrain(CLI::App& verb) {
    auto train = std::make_shared<TrainOptions>();
    auto answer = std::make_shared<AnswerOptions>();
    auto more = std::make_shared<MoreOptions>();
    train->addTo(verb);
    verb.add_option(
            "--over", more->over,
            "also the same job over gpus, batch, network (speed of NICs and switches), hb (speed of HB links) or hb-domain (its size)")
        ->check(CLI::IsMember(std::vector<std::string>(trainingAxisNames.begin(), trainingAxisNames.end())));
    verb.add_flag("--cost", more->cost,
                  "also the cost and the energy of the run: the share of its GPUs in the design, written off over the years of the site "
                  "settings (5)");
    verb.add_option(
        "--jobs", more->jobs,
        "several jobs at the same time: a JSON file {\"jobs\": [{\"name\": ..., \"model\": ..., \"gpus\": ...}]} with the options "
        "of each, written with _ for -");
    verb.add_option("--timeline", more->timeline, "also write every pass of the pipeline stages to this CSV file");
    answer->addTo(verb);
    return [=] { return more->jobs.empty() ? runTrain(*train, *more, *answer) : runJobs(*train, *more, *answer); };
}

bool showsCost(const CLI::App& verb) { return verb.get_option("--cost")->count() > 0; }

} // namespace

const VerbInfo trainVerb{"train", "estimate the iteration time, memory and utilisation of a training job", showsCost, addTrain};

} // namespace railyard::cli
