#include "app/cli/options/say_progress.h"
#include "app/cli/verbs/verb.h"
#include "core/base/counted.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/json/json_text.h"
#include "core/sweep/merge.h"
#include "core/sweep/notes.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <thread>

namespace railyard::cli {
namespace {

struct SweepOptions {
    std::string input, output, engine = "local";
    std::optional<std::string> shard; // all points
    int shards = 0, threads = 0;
    bool json = false;
};

std::string ownPath() {
    std::error_code failed;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::string("railyard-cli") : path.string();
}

int planIt(const SweepOptions& o) {
    if (o.output == "-") return report({Error::usage("-o -: a sweep has several files; specify a folder")});
    const bool withSlurm = o.engine == "slurm";
    if (withSlurm && o.shards > mostTasks)
        return report(
            {Error::usage(fmt::format("--shards {}: a job array of Slurm has at most {} tasks, unless its administrator allows more",
                                      o.shards, formatCount(mostTasks)))});
    if (const Status good = withSlurm ? checkSlurmFolder(o.output) : Status(Done{}); !good) return report(good.errors());
    const auto text = readFile(o.input, mostJsonBytes);
    if (!text) return report(text.errors());
    auto spec = readSweepSpec(*text, o.input);
    if (!spec) return report(spec.errors());
    const auto plan = planSweep(std::move(*spec), o.output);
    if (!plan) return report(plan.errors());
    const auto count = static_cast<std::int64_t>(plan->ids.size());
    const int shards = o.shards > 0 ? static_cast<int>(std::min<std::int64_t>(o.shards, count))
                       : withSlurm  ? shardsByTrial(plan->spec)
                                    : static_cast<int>(std::min<std::int64_t>(count, std::max(1u, std::thread::hardware_concurrency())));
    if (const Status written = writeJobFiles(*plan, {shards, ownPath(), withSlurm}); !written) return report(written.errors());
    if (o.json)
        printJson(jsonText(Json{{"schema", "railyard.sweep-plan/1"}, {"folder", o.output}, {"points", count}, {"shards", shards}}));
    else
        fmt::print("{}: {} in {}\n", o.output, counted(count, "{} point", "{} points"), counted(shards, "{} shard", "{} shards"));
    for (const SweepAxis& axis : plan->spec.axes)
        if (axis.values.size() == 1) fmt::print(stderr, "railyard-cli: note: the axis {} has one value\n", axis.key);
    for (const std::string& note : notesOf(plan->spec)) fmt::print(stderr, "railyard-cli: note: {}\n", note);
    return 0;
}

int runIt(const SweepOptions& o) {
    const auto shard = o.shard ? readShard(*o.shard) : Result<Shard>(Shard{});
    if (!shard) return report(shard.errors());
    const auto plan = openSweep(o.input);
    if (!plan) return report(plan.errors());
    const auto run =
        runShard(*plan, *shard, {o.threads, [](std::int64_t done, std::int64_t all) { sayProgress(done, all, "points computed"); }, {}});
    if (!run) return report(run.errors());
    for (const std::string& problem : run->problems)
        fmt::print(stderr, "railyard-cli: warning: {}; points that no other file has are computed again\n", problem);
    if (o.json)
        printJson(jsonText(
            Json{{"schema", "railyard.sweep-run/1"}, {"shard", shard->text()}, {"computed", run->computed}, {"known", run->known}}));
    else
        fmt::print("shard {}: {} computed{}, {} known before\n", shard->text(), counted(run->computed, "{} point", "{} points"),
                   run->designs < run->computed ? " from " + counted(run->designs, "{} distinct design", "{} distinct designs") : "",
                   run->known);
    return 0;
}

int mergeIt(const SweepOptions& o) {
    if (o.output == "-" && o.json)
        return report({Error::usage("-o - and --json both write to standard output; use only one of them, or write to a file with -o")});
    const auto plan = openSweep(o.input);
    if (!plan) return report(plan.errors());
    const auto merged = mergeSweep(*plan);
    if (!merged) return report(merged.errors());
    for (const std::string& problem : merged->problems) fmt::print(stderr, "railyard-cli: warning: {}\n", problem);
    if (const Status written = writeSweepTable(*plan, *merged, o.output); !written) return report(written.errors());
    const auto count = static_cast<std::int64_t>(merged->lines.size());
    if (o.json)
        printJson(jsonText(Json{{"schema", "railyard.sweep-merge/1"}, {"file", o.output}, {"points", count}, {"errors", merged->failing}}));
    else if (o.output != "-")
        fmt::print("{}: {}, {} of them with an error\n", o.output, counted(count, "{} point", "{} points"), merged->failing);
    return 0;
}

Run addSweep(CLI::App& verb) {
    verb.require_subcommand(1);
    auto chosen = std::make_shared<Run>();
    auto o = std::make_shared<SweepOptions>();
    CLI::App* plan = verb.add_subcommand("plan", "make the points of a sweep and the files that run them");
    plan->add_option("SPEC", o->input, "JSON file with base, axes and evaluate")->required();
    plan->add_option("-o", o->output, "folder of the sweep; the machines that run it share it")->required();
    plan->add_option("--engine", o->engine, "what runs it, local or slurm: the latter also writes railyard.sbatch")
        ->check(CLI::IsMember({"local", "slurm"}))
        ->capture_default_str();
    plan->add_option("--shards", o->shards, "number of shards; default: one per core, with slurm as many as take half a minute each")
        ->check(NumberBetween(1, mostShards));
    plan->add_flag("--json", o->json, "print JSON");
    plan->callback([=] { *chosen = [=] { return planIt(*o); }; });
    CLI::App* run = verb.add_subcommand("run", "compute the points that are not done yet");
    run->add_option("DIR", o->input, "folder of the sweep")->required();
    run->add_option("--shard", o->shard, "share of the points, I/N; default: all");
    run->add_option("--engine", o->engine, "local: here, on all cores")->check(CLI::IsMember({"local"}))->capture_default_str();
    run->add_option("--threads", o->threads, "threads; 0: one per core; they do not change results")->check(NumberBetween(0, 256));
    run->add_flag("--json", o->json, "print JSON");
    run->callback([=] { *chosen = [=] { return runIt(*o); }; });
    CLI::App* merge = verb.add_subcommand("merge", "write the answers of all shards as one table");
    merge->add_option("DIR", o->input, "folder of the sweep")->required();
    merge->add_option("-o", o->output, "output file: " + extensionsOf(sweepTableFormats()))->required();
    merge->add_flag("--json", o->json, "print JSON");
    for (CLI::App* each : {plan, run, merge}) each->fallthrough(); // --progress, which every verb has
    merge->callback([=] { *chosen = [=] { return mergeIt(*o); }; });
    return [=] { return (*chosen)(); };
}

} // namespace

const VerbInfo sweepVerb{"sweep", "compute many designs, on this machine or on a cluster", alwaysShowsPrices, addSweep};

} // namespace railyard::cli
