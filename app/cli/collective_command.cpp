#include "app/cli/commands.h"

#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/collective/together.h"
#include "core/io/rank_list.h"
#include "core/io/results_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct CollectiveOptions {
    DesignInput input;
    std::string op = "all-reduce", size = "1GiB", algorithm = "auto", protocol = "auto", order = "near", sweep, calibration = "shipped",
                placement = "packed";
    std::optional<std::int64_t> ranks, jobs;
    std::vector<double> weights;
    std::vector<std::string> described;
    AnswerOptions answer;
};

Result<std::vector<Bytes>> sweepSizes(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) return Error::usage(fmt::format("--sweep {}: write it as 1KiB:16GiB", text));
    auto from = parseBytes(text.substr(0, colon)), to = parseBytes(text.substr(colon + 1));
    if (!from) return Error::usage("--sweep: " + from.error().text);
    if (!to) return Error::usage("--sweep: " + to.error().text);
    if (from->count() < 1 || *to < *from)
        return Error::usage(fmt::format("--sweep {}: the first size must be above 0 and at most the second", text));
    std::vector<Bytes> sizes;
    for (std::int64_t size = from->count(); size <= to->count(); size = size > to->count() / 2 ? to->count() + 1 : size * 2)
        sizes.emplace_back(size);
    return sizes;
}

Result<Calibration> calibrationOf(const std::string& name) {
    if (name == "shipped") return shippedCalibration();
    if (name == "none") return notCalibrated();
    auto text = readFile(name);
    if (!text) return text.errors();
    return readCalibration(*text, name);
}

Result<CollectiveGroup> groupOf(const Fabric& fabric, const CollectiveOptions& o) {
    auto calibration = calibrationOf(o.calibration);
    if (!calibration) return calibration.errors();
    if (o.order == "near" || o.order == "far")
        return CollectiveGroup::of(fabric, o.ranks.value_or(0), o.order == "far" ? RankOrder::Far : RankOrder::Near, *calibration);
    auto listed = readRankList(fabric, o.order);
    if (!listed) return listed.errors();
    if (o.ranks && *o.ranks > static_cast<std::int64_t>(listed->size()))
        return Error::usage(fmt::format("--ranks {}: {} lists {} GPUs; that is the most", *o.ranks, o.order, listed->size()));
    if (o.ranks) listed->resize(static_cast<std::size_t>(*o.ranks));
    return CollectiveGroup::of(fabric, *listed, *calibration);
}

Result<CollectiveRequest> requestOf(const CollectiveOptions& o) {
    CollectiveRequest request;
    const auto algorithm = algorithmFrom(o.algorithm);
    if (!algorithm) return Error::usage(fmt::format("--algorithm {}: one of {}", o.algorithm, algorithmNames));
    request.algorithm = *algorithm;
    if (o.protocol == "auto") return request;
    request.protocol = protocolFrom(o.protocol);
    if (!request.protocol) return Error::usage(fmt::format("--protocol {}: one of auto, ll, ll128, simple", o.protocol));
    return request;
}

Result<Json> sweepJson(const CollectiveGroup& group, CollectiveOp op, const CollectiveRequest& request, const std::string& range) {
    auto sizes = sweepSizes(range);
    if (!sizes) return sizes.errors();
    Json points = Json::array();
    for (const Bytes each : *sizes) {
        auto timed = group.time(op, each, request);
        if (!timed) return timed.errors();
        points.push_back({{"size_bytes", each.count()},
                          {"time_s", timed->best.time.value()},
                          {"time_low_s", timed->favourable ? Json(timed->favourable->time.value()) : Json()},
                          {"time_high_s", timed->adverse ? Json(timed->adverse->time.value()) : Json()},
                          {"busbw_gbytes_s", timed->busbwGbytesPerSecond},
                          {"algorithm", toText(timed->best.algorithm)},
                          {"protocol", toText(timed->best.protocol)}});
    }
    return points;
}

void printText(const CollectiveOptions& o, const CollectiveResult& result) {
    const bool hasRange = result.favourable && result.adverse;
    const std::string range =
        hasRange ? fmt::format(" ({} to {})", formatSeconds(result.favourable->time), formatSeconds(result.adverse->time)) : "";
    fmt::print("{} of {} over {} GPUs: {}{} by {}; busbw {:.1f} GB/s{}\n", o.op, formatBytes(result.size), formatCount(result.ranks),
               timeText(result), range, wayText(result), result.busbwGbytesPerSecond,
               result.library ? "" : " (the links alone, not calibrated)");
    for (const CollectivePhase& phase : result.best.phases)
        fmt::print("  {:<32}{:>12}  {}\n", phase.name, formatSeconds(phase.time()), phase.bottleneck);
}

// Every job the same collective on HB domains of its own.
Result<std::vector<CollectiveJob>> equalJobs(const Fabric& fabric, const CollectiveOptions& o, CollectiveOp op, Bytes size) {
    if (o.weights.size() > static_cast<std::size_t>(*o.jobs))
        return Error::usage(fmt::format("--weights: {} of them for {} jobs", o.weights.size(), *o.jobs));
    auto tiles = tilesOf(fabric, *o.jobs, o.placement == "spread" ? JobPlacement::Spread : JobPlacement::Packed);
    if (!tiles) return tiles.errors();
    std::vector<CollectiveJob> jobs;
    for (std::size_t j = 0; j < tiles->size(); ++j)
        jobs.push_back({std::move((*tiles)[j]), op, size, j < o.weights.size() ? o.weights[j] : 1});
    return jobs;
}

// SELECTOR=OP@SIZE or SELECTOR=OP@SIZE*WEIGHT.
Result<CollectiveJob> jobFrom(const Fabric& fabric, const std::string& text) {
    const std::size_t equals = text.rfind('='), at = text.rfind('@'), star = text.find('*', at == std::string::npos ? 0 : at);
    if (equals == std::string::npos || at == std::string::npos || at < equals)
        return Error::usage(fmt::format("--job {}: write it as SELECTOR=OP@SIZE, like su[1]=all-reduce@1GiB, with *2 for a weight", text));
    const std::string name = text.substr(equals + 1, at - equals - 1);
    const auto op = collectiveOpFrom(name);
    if (!op) return Error::usage(fmt::format("--job {}: {} is no operation; all-reduce or all-to-all would be", text, name));
    const auto size = parseBytes(text.substr(at + 1, star == std::string::npos ? star : star - at - 1));
    if (!size) return Error::usage(fmt::format("--job {}: {}", text, size.error().text));
    if (size->count() == 0) return Error::usage(fmt::format("--job {}: nothing is sent; give a size above 0", text));
    const auto chosen = select(fabric, text.substr(0, equals));
    if (!chosen) return chosen.errors();
    CollectiveJob job{{}, *op, *size, 1};
    for (const std::uint32_t gpu : gpusInOrder(fabric, RankOrder::Near))
        if (chosen->devices[gpu]) job.gpus.push_back(gpu);
    if (job.gpus.empty()) return Error::usage(fmt::format("--job {}: names no GPU of this design", text));
    if (star == std::string::npos) return job;
    char rest = 0;
    if (std::sscanf(text.c_str() + star + 1, "%lf%c", &job.weight, &rest) != 1 || !(job.weight >= 1e-3 && job.weight <= 1e3))
        return Error::usage(fmt::format("--job {}: the weight is a number from 0.001 to 1000", text));
    return job;
}

Result<std::vector<CollectiveJob>> jobsOf(const Fabric& fabric, const CollectiveOptions& o, CollectiveOp op, Bytes size) {
    if (o.ranks || !o.sweep.empty() || o.order != "near")
        return Error::usage("--jobs and --job: take GPUs by HB domain or selector, at one size; leave out --ranks, --order and --sweep");
    if (o.jobs && !o.described.empty()) return Error::usage("--jobs and --job: one or the other");
    if (o.jobs) return equalJobs(fabric, o, op, size);
    std::vector<CollectiveJob> jobs;
    for (const std::string& text : o.described) {
        auto job = jobFrom(fabric, text);
        if (!job) return job.errors();
        jobs.push_back(std::move(*job));
    }
    return jobs;
}

std::string linkText(const Fabric& fabric, std::uint32_t link) {
    return link == none ? std::string() : fabric.devicePath(fabric.links.a[link]) + " to " + fabric.devicePath(fabric.links.b[link]);
}

Json jobsJson(const Fabric& fabric, const CollectiveOptions& o, const std::vector<CollectiveJob>& asked,
              const std::vector<JobTime>& times) {
    Json jobs = Json::array();
    for (std::size_t j = 0; j < times.size(); ++j)
        jobs.push_back({{"job", j + 1},
                        {"op", toText(asked[j].op)},
                        {"size_bytes", asked[j].size.count()},
                        {"ranks", times[j].alone.ranks},
                        {"domains", times[j].alone.domains},
                        {"weight", asked[j].weight},
                        {"algorithm", toText(times[j].alone.best.algorithm)},
                        {"protocol", toText(times[j].alone.best.protocol)},
                        {"time_alone_s", times[j].alone.best.time.value()},
                        {"time_s", times[j].time().value()},
                        {"slowdown_ratio", times[j].slowdown},
                        {"unreachable_pairs", times[j].lostPairs},
                        {"held_by", times[j].heldBy == none ? Json() : Json(linkText(fabric, times[j].heldBy))}});
    return {{"schema", "railyard.collective_jobs/1"}, {"placement", o.jobs ? Json(o.placement) : Json()}, {"jobs", jobs}};
}

int runJobs(const Fabric& fabric, const CollectiveOptions& o, CollectiveOp op, Bytes size, const CollectiveRequest& request) {
    const auto calibration = calibrationOf(o.calibration);
    if (!calibration) return report(calibration.errors());
    const auto jobs = jobsOf(fabric, o, op, size);
    if (!jobs) return report(jobs.errors());
    const auto times = timesTogether(fabric, *jobs, request, *calibration);
    if (!times) return report(times.errors());
    if (!o.answer.wantsText()) return o.answer.give(withFailures(jobsJson(fabric, o, *jobs, *times), o.input));
    for (std::size_t j = 0; j < times->size(); ++j) {
        const JobTime& job = (*times)[j];
        fmt::print("  job {:<5}{:>8} GPUs  {:<14}{:>9}  alone {:>10}  together {:>10}  x{:.3f}  {}\n", j + 1, formatCount(job.alone.ranks),
                   toText((*jobs)[j].op), formatBytes((*jobs)[j].size), formatSeconds(job.alone.best.time), formatSeconds(job.time()),
                   job.slowdown, linkText(fabric, job.heldBy));
    }
    return 0;
}

int runCollective(const CollectiveOptions& o) {
    const auto op = collectiveOpFrom(o.op);
    if (!op)
        return report({Error::usage(fmt::format(
            "--op {}: one of all-reduce, all-gather, reduce-scatter, all-to-all, broadcast, reduce, gather, scatter, p2p", o.op))});
    const auto size = parseBytes(o.size);
    if (!size) return report({Error::usage("--size: " + size.error().text)});
    const auto request = requestOf(o);
    if (!request) return report(request.errors());
    if (size->count() == 0) return report({Error::usage("--size: nothing is sent; give a size above 0")});
    if (o.ranks && *o.ranks < 1) return report({Error::usage(fmt::format("--ranks {}: a whole number above 0", *o.ranks))});
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    if (o.jobs || !o.described.empty()) return runJobs(*loaded->fabric, o, *op, *size, *request);
    auto group = groupOf(*loaded->fabric, o);
    if (!group) return report(group.errors());
    auto result = group->time(*op, *size, *request);
    if (!result) return report(result.errors());
    Json json = toJson(*result);
    if (!o.sweep.empty()) {
        auto points = sweepJson(*group, *op, *request, o.sweep);
        if (!points) return report(points.errors());
        json["points"] = std::move(*points);
    }
    if (!o.answer.wantsText()) return o.answer.give(withFailures(std::move(json), o.input));
    printText(o, *result);
    return 0;
}

} // namespace

void addCollectiveCommand(CLI::App& app, Run& run) {
    auto collective = std::make_shared<CollectiveOptions>();
    auto* verb = app.add_subcommand("collective", "time of one collective");
    collective->input.addTo(*verb, true);
    verb->add_option("--op", collective->op, "the operation")->capture_default_str();
    verb->add_option("--size", collective->size, "nccl-tests size, like 1GiB")->capture_default_str();
    verb->add_option("--algorithm", collective->algorithm, std::string(algorithmNames))->capture_default_str();
    verb->add_option("--protocol", collective->protocol, "auto, ll, ll128 or simple")->capture_default_str();
    verb->add_option("--ranks", collective->ranks, "the first N GPUs; all by default");
    verb->add_option("--order", collective->order, "near, far, or a file with the path of one GPU a line, rank 0 first")
        ->capture_default_str();
    verb->add_option("--calibration", collective->calibration,
                     "shipped, none (full bandwidth, no latency), or a file like resources/calibration/collectives.json")
        ->capture_default_str();
    verb->add_option("--sweep", collective->sweep, "sizes, doubling: 1KiB:16GiB");
    verb->add_option("--jobs", collective->jobs, "so many jobs at once, each the collective on HB domains of its own")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
    verb->add_option("--job", collective->described,
                     "SELECTOR=OP@SIZE, a job beside the other --job (repeatable); *2 at its end: its weight")
        ->allow_extra_args(false);
    verb->add_option("--placement", collective->placement, "of jobs: packed (neighbouring domains) or spread (dealt out one by one)")
        ->check(CLI::IsMember({"packed", "spread"}))
        ->capture_default_str();
    verb->add_option("--weights", collective->weights, "of the jobs' traffic classes, like 4,1; 1 by default")
        ->delimiter(',')
        ->check(CLI::Range(1e-3, 1e3));
    collective->answer.addTo(*verb);
    verb->callback([=, &run] { run = [=] { return runCollective(*collective); }; });
}

} // namespace railyard::cli
