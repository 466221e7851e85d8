#include "core/training/shared_cluster.h"

#include "core/json/json_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace railyard {
namespace {

constexpr std::size_t mostJobs = 1000;
constexpr std::size_t mostGigabytes = 2; // of the shares of links that are kept

Error ofJob(const std::string& name, Error error) {
    error.text = fmt::format("{}{}: {}", name.starts_with("job ") ? "" : "job ", name, error.text);
    return error;
}

// Of the GPUs of the placement, those that no job before has taken.
Result<std::vector<DeviceId>> takeGpus(const Fabric& fabric, const JobRequest& request, std::vector<bool>& taken) {
    std::vector<DeviceId> left;
    for (const DeviceId gpu : gpusOf(fabric, request.placement, request.seed))
        if (!taken[gpu]) left.push_back(gpu);
    if (left.empty()) return Error::unbuildable("no GPU is left for it; state gpus for the jobs before it");
    const auto there = static_cast<std::int64_t>(left.size());
    if (request.gpus > there)
        return Error::parameter(Error::Kind::Unbuildable, "range", "gpus", fmt::to_string(request.gpus),
                                fmt::format("the jobs before it leave {} GPUs", there), {fmt::to_string(there)});
    auto gpus = firstWholeGroups(request.planned.job, fabric, std::move(left), request.gpus, request.perDomain);
    if (!gpus) return gpus;
    for (const DeviceId gpu : *gpus) taken[gpu] = true;
    return gpus;
}

// The share of an iteration in which messages of the job are on the network, whether computing hides them or not. Those of groups within
// HB domains are not.
double shareOnNetwork(const TrainingEstimate& overlapped, const TrainingBreakdown& serial, PlacedGroups& groups) {
    const TrainingJob& job = overlapped.job;
    Seconds sum;
    for (const auto& [group, time] : {std::pair(RankGroup::Tensor, serial.tensor),
                                      {RankGroup::Context, serial.context},
                                      {RankGroup::Expert, serial.expert},
                                      {RankGroup::Pipeline, serial.pipeline},
                                      {RankGroup::Dense, serial.data}})
        if (time > Seconds() && groups.groupsOf(job, group).leavesDomain()) sum += time;
    return std::min(1.0, sum / overlapped.iteration);
}

struct RunningJob {
    std::unique_ptr<PlacedGroups> groups;
    LinkShares shares;
    double onNetwork = 0;
};

// Writes the estimate without others into `job`.
Result<RunningJob> runAlone(const Fabric& fabric, const TrainingPlan& plan, const TrainingCalibration& calibration,
                            const std::shared_ptr<const FabricNetwork>& network, JobOnCluster& job) {
    RunningJob running{std::make_unique<PlacedGroups>(fabric, job.placed.gpus, calibration.collectives, network, true), {}, 0};
    auto alone = estimateTraining(fabric, job.placed, plan, *running.groups, calibration);
    if (!alone) return alone.errors();
    const auto serial = estimateTraining(fabric, job.placed, withoutOverlap(plan), *running.groups, calibration);
    if (!serial) return serial.errors();
    running.onNetwork = shareOnNetwork(*alone, serial->breakdown, *running.groups);
    running.shares = running.groups->sharesOf(job.placed.job);
    job.alone = std::move(*alone);
    return running;
}

} // namespace

Result<std::vector<NamedJob>> readJobs(const std::string& text, const std::string& file) {
    auto json = parseJson(text, file);
    if (!json) return json.errors();
    const JsonSource source{file, text, std::move(*json), {}};
    const JsonView root = JsonView::root(source);
    std::vector<NamedJob> jobs;
    std::set<std::string> names;
    int place = 0;
    if (!root.isObject() || !root.has("jobs")) root.fail("jobs", "is missing; it lists the jobs", "missing");
    const Json others = root.isObject() ? root.unknownKeys({"jobs"}) : Json::object();
    for (const auto& [key, value] : others.items())
        if (!key.starts_with('_')) root.fail(key, "is not a known key; the known key is jobs", "unknown");
    root.eachItem("jobs", [&](const JsonView& view) {
        if (!view.isObject()) return view.fail("", "is not a job; write it as an object with options of a training job");
        if (jobs.size() == mostJobs) return view.fail("", fmt::format("exceeds the maximum of {} jobs", mostJobs));
        ParameterTexts options;
        const Json& stated = view.json();
        ++place;
        std::string name;
        for (const auto& [key, value] : stated.items()) {
            const JsonView given = view.at(key);
            const bool isText = value.is_string(), isOther = value.is_number() || (key == "model" && value.is_object());
            if (!isText && !isOther) {
                given.fail("", "is neither a string nor a number");
                continue;
            }
            const std::string words = isText ? value.get<std::string>() : value.dump();
            if (key == "name") {
                name = words;
                continue;
            }
            options[key] = words;
            if (const auto read = readJob({{key, words}}); !read)
                for (const Error& error : read.errors()) given.fail("", error.wrong.empty() ? error.text : error.wrong, error.code);
        }
        if (name.empty()) name = fmt::format("job {}", place);
        if (!names.insert(name).second) view.fail("name", fmt::format("is \"{}\", as that of another job; rename one of them", name));
        if (auto request = readJob(options)) jobs.push_back({std::move(name), std::move(*request)});
    });
    if (source.errors.empty() && jobs.empty()) root.fail("jobs", "is empty; name at least one job");
    if (!source.errors.empty()) return source.errors;
    return jobs;
}

Result<std::vector<JobOnCluster>> trainTogether(const Fabric& fabric, const std::vector<NamedJob>& jobs,
                                                const TrainingCalibration& calibration) {
    std::vector<JobOnCluster> all;
    all.reserve(jobs.size()); // the groups refer to the GPUs of their job
    std::vector<bool> taken(fabric.devices.size());
    const auto network = std::make_shared<const FabricNetwork>(fabric);
    std::vector<RunningJob> running;
    std::size_t kept = 0;
    for (const NamedJob& job : jobs) {
        auto gpus = takeGpus(fabric, job.request, taken);
        if (!gpus) return ofJob(job.name, gpus.error());
        all.push_back({job.name, placedJob(job.request.planned.job, fabric, std::move(*gpus)), {}, {}, {}});
        auto own = runAlone(fabric, job.request.planned.plan, calibration, network, all.back());
        if (!own) return ofJob(job.name, own.error());
        running.push_back(std::move(*own));
        kept += (running.back().groups->keptShares() + running.back().shares.size()) * sizeof(LinkShare);
        if (kept > mostGigabytes * 1'000'000'000)
            return Error::unbuildable(
                fmt::format("the first {} of {} jobs need more than {} GB for the loads of their links; name fewer or "
                            "smaller jobs",
                            all.size(), jobs.size(), mostGigabytes));
    }
    for (const bool isWorst : {false, true}) {
        SharedLinks together(fabric.links.size());
        const auto weight = [&](const RunningJob& each) { return isWorst ? 1 : each.onNetwork; };
        for (const RunningJob& each : running) together.add(each.shares, weight(each));
        for (std::size_t j = 0; j < all.size(); ++j) {
            running[j].groups->shareLinksWith({&together, &running[j].shares, weight(running[j])});
            auto estimate = estimateTraining(fabric, all[j].placed, jobs[j].request.planned.plan, *running[j].groups, calibration);
            if (!estimate) return ofJob(jobs[j].name, estimate.error());
            (isWorst ? all[j].worst : all[j].expected) = std::move(*estimate);
        }
    }
    return all;
}

} // namespace railyard
