#include "app/cli/options/concurrent_options.h"

#include "core/base/unit_text.h"
#include "core/collective/algorithms/algorithm_table.h"
#include "core/failure/removal.h"

#include <charconv>
#include <fmt/format.h>

namespace railyard::cli {
namespace {

// The weight after a star at the end of an option ("*2"); 1 if there is none.
Result<double> weightIn(const std::string& option, const std::string& text, std::size_t star) {
    double weight = 1;
    if (star == std::string::npos) return weight;
    const char *first = text.data() + star + 1, *last = text.data() + text.size();
    const auto [end, problem] = std::from_chars(first, last, weight);
    if (problem != std::errc() || end != last || !(weight >= 1e-3 && weight <= 1e3))
        return Error::usage(fmt::format("{} {}: the weight must be a number from 0.001 to 1000", option, text));
    return weight;
}

// SELECTOR=OP@SIZE or SELECTOR=OP@SIZE*WEIGHT.
Result<CollectiveJob> jobFrom(const Fabric& fabric, const std::string& text) {
    const std::size_t equals = text.rfind('='), at = text.rfind('@'), star = text.find('*', at == std::string::npos ? 0 : at);
    if (equals == std::string::npos || at == std::string::npos || at < equals)
        return Error::usage(fmt::format(
            "--job {}: expected SELECTOR=OP@SIZE, for example su[1]=all-reduce@1GiB, with an optional weight such as *2", text));
    const std::string name = text.substr(equals + 1, at - equals - 1);
    const auto op = collectiveOpFrom(name);
    if (!op) return Error::usage(fmt::format("--job {}: {} is not an operation; examples are all-reduce and all-to-all", text, name));
    const auto size = parseBytes(text.substr(at + 1, star == std::string::npos ? star : star - at - 1));
    if (!size) return Error::usage(fmt::format("--job {}: {}", text, size.error().text));
    if (size->count() == 0) return Error::usage(fmt::format("--job {}: the size must be greater than 0", text));
    const auto chosen = select(fabric, text.substr(0, equals));
    if (!chosen) return chosen.errors();
    const auto weight = weightIn("--job", text, star);
    if (!weight) return weight.errors();
    CollectiveJob job{{}, *op, *size, *weight};
    for (const DeviceId gpu : gpusInOrder(fabric, RankOrder::Near))
        if (chosen->devices[gpu]) job.gpus.push_back(gpu);
    if (job.gpus.empty()) return Error::usage(fmt::format("--job {}: the selector matches no GPU of this design", text));
    return job;
}

std::string linkText(const Fabric& fabric, LinkId link) {
    return link == none ? std::string() : fabric.devicePath(fabric.links.a[link]) + " to " + fabric.devicePath(fabric.links.b[link]);
}
std::string bottleneckText(const Fabric& fabric, LinkId link) {
    return link == none
               ? std::string()
               : fmt::format("  Bottleneck: {} → {}", fabric.devicePath(fabric.links.a[link]), fabric.devicePath(fabric.links.b[link]));
}
Json linkJson(const Fabric& fabric, LinkId link) { return link == none ? Json() : Json(linkText(fabric, link)); }

Json storageJson(const Fabric& fabric, const ConcurrentStorage& asked, const StorageShare& share) {
    return {{"direction", asked.traffic.isWrite ? "write" : "read"},
            {"servers", share.servers},
            {"cut_off_servers", share.cutOff},
            {"weight", asked.weight},
            {"rate_of_a_server_gbytes_s", asked.traffic.ofServer.value() / 8e9},
            {"alone_fraction", share.alone},
            {"concurrent_fraction", share.concurrent},
            {"bottleneck", linkJson(fabric, share.bottleneck)}};
}

Json jobsJson(const Fabric& fabric, const std::vector<CollectiveJob>& asked, const std::vector<JobTime>& times) {
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
                        {"bottleneck", linkJson(fabric, times[j].bottleneck)}});
    return jobs;
}

void print(const Fabric& fabric, const std::vector<CollectiveJob>& asked, const std::optional<ConcurrentStorage>& storage,
           const ConcurrentTimes& times) {
    for (std::size_t j = 0; j < times.jobs.size(); ++j) {
        const JobTime& job = times.jobs[j];
        fmt::print("  Job {:<5}{:>8} GPUs  {:<14}{:>9}  alone {:>10}  concurrent {:>10}  ×{:.3f}{}\n", j + 1, formatCount(job.alone.ranks),
                   toText(asked[j].op), formatBytes(asked[j].size), formatSeconds(job.alone.best.time), formatSeconds(job.time()),
                   job.slowdown, bottleneckText(fabric, job.bottleneck));
    }
    if (!times.storage) return;
    const StorageShare& share = *times.storage;
    fmt::print("  Storage  {:>5} servers {} {:g} GB/s each: {} of that rate alone, {} with the jobs{}\n", formatCount(share.servers),
               storage->traffic.isWrite ? "write" : "read", storage->traffic.ofServer.value() / 8e9, formatShare(share.alone),
               formatShare(share.concurrent), bottleneckText(fabric, share.bottleneck));
    if (share.cutOff > 0)
        fmt::print("  {} of these servers cannot reach all of the storage: {}\n", formatCount(share.cutOff), share.example);
}

} // namespace

// SELECTOR=RATE or SELECTOR=RATE*WEIGHT.
Result<std::optional<ConcurrentStorage>> ConcurrentOptions::storageOf(const Fabric& fabric) const {
    if (storage.empty()) return std::optional<ConcurrentStorage>();
    const std::size_t equals = storage.rfind('='), star = storage.find('*', equals == std::string::npos ? 0 : equals);
    if (equals == std::string::npos)
        return Error::usage(fmt::format(
            "--storage {}: expected SELECTOR=RATE, for example su[1]/srv[1-4]=40GB/s, with an optional weight such as *2", storage));
    const auto rate = parseBandwidth(storage.substr(equals + 1, star == std::string::npos ? star : star - equals - 1));
    if (!rate) return Error::usage(fmt::format("--storage {}: {}", storage, rate.error().text));
    constexpr double most = 8e15; // 1 PB/s
    if (!(rate->value() > 0 && rate->value() <= most))
        return Error::usage(fmt::format("--storage {}: the rate per server must be greater than 0 and at most 1000000GB/s", storage));
    const auto chosen = select(fabric, storage.substr(0, equals));
    if (!chosen) return chosen.errors();
    const auto weight = weightIn("--storage", storage, star);
    if (!weight) return weight.errors();
    std::vector<bool> servers = wholeServers(fabric, chosen->devices);
    bool isServer = false;
    for (const DeviceId d : fabric.devices.ids()) isServer = isServer || (servers[d] && fabric.devices.isNic(d));
    if (!isServer)
        return Error::usage(
            fmt::format("--storage {}: the selector matches no server with a NIC; expected for example su[1]/srv[1-4]=40GB/s", storage));
    return std::optional(ConcurrentStorage{{std::move(servers), *rate, writesStorage}, *weight});
}

// Every job the same collective on HB domains of its own.
Result<std::vector<CollectiveJob>> ConcurrentOptions::equalJobs(const Fabric& fabric, const Collective& each,
                                                                const std::vector<bool>& leftOut) const {
    const std::int64_t count = jobs.value_or(1);
    if (weights.size() > static_cast<std::size_t>(count))
        return Error::usage(fmt::format("--weights: {} values for {} {}", weights.size(), count, count == 1 ? "job" : "jobs"));
    auto tiles = tilesOf(fabric, count, placement == "spread" ? JobPlacement::Spread : JobPlacement::Packed, leftOut);
    if (!tiles) return tiles.errors();
    std::vector<CollectiveJob> all;
    for (std::size_t j = 0; j < tiles->size(); ++j)
        all.push_back({std::move((*tiles)[j]), each.op, each.size, j < weights.size() ? weights[j] : 1});
    return all;
}

Result<std::vector<CollectiveJob>> ConcurrentOptions::jobsOf(const Fabric& fabric, const Collective& each,
                                                             const std::vector<bool>& leftOut) const {
    if (jobs && !described.empty()) return Error::usage("--jobs and --job cannot be combined");
    if (described.empty()) return equalJobs(fabric, each, leftOut);
    std::vector<CollectiveJob> all;
    for (const std::string& text : described) {
        auto job = jobFrom(fabric, text);
        if (!job) return job.errors();
        all.push_back(std::move(*job));
    }
    return all;
}

Result<Json> ConcurrentOptions::answer(const Fabric& fabric, const Collective& each, const Calibration& calibration,
                                       bool printsText) const {
    const auto concurrent = storageOf(fabric);
    if (!concurrent) return concurrent.errors();
    const auto asked = jobsOf(fabric, each, *concurrent ? (*concurrent)->traffic.isStorage : std::vector<bool>());
    if (!asked) return asked.errors();
    const auto times = concurrentTimes(fabric, *asked, *concurrent, each.request, calibration);
    if (!times) return times.errors();
    if (printsText) print(fabric, *asked, *concurrent, *times);
    return Json{{"schema", "railyard.collective_jobs/1"},
                {"transport", toText(calibration.transport)},
                {"placement", jobs ? Json(placement) : Json()},
                {"jobs", jobsJson(fabric, *asked, times->jobs)},
                {"storage", times->storage ? storageJson(fabric, **concurrent, *times->storage) : Json()}};
}

void ConcurrentOptions::addTo(CLI::App& verb) {
    auto* equal = verb.add_option("--jobs", jobs, "number of concurrent jobs, each on its own HB domains")
                      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
    verb.add_option("--job", described, "a concurrent job: SELECTOR=OP@SIZE, optionally followed by a weight such as *2 (repeatable)")
        ->allow_extra_args(false);
    verb.add_option("--placement", placement, "placement of the jobs: packed (adjacent HB domains) or spread (HB domains assigned in turn)")
        ->check(CLI::IsMember({"packed", "spread"}))
        ->capture_default_str()
        ->needs(equal);
    verb.add_option("--weights", weights, "weights of the traffic classes of the jobs, for example 4,1; default: 1")
        ->delimiter(',')
        ->check(NumberBetween(1e-3, 1e3))
        ->needs(equal);
    auto* stored = verb.add_option("--storage", storage,
                                   "storage servers used by all other servers during the jobs: SELECTOR=RATE with the rate per server, for "
                                   "example su[1]/srv[1-4]=40GB/s, optionally followed by the weight of its traffic class, such as *2");
    verb.add_flag("--storage-write", writesStorage, "servers write to the storage instead of reading from it")->needs(stored);
}

} // namespace railyard::cli
