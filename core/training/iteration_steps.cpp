#include "core/training/iteration_steps.h"

#include "core/base/unit_text.h"
#include "core/workload/job_messages.h"
#include "core/workload/job_traffic.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace railyard {
namespace {

// A kind of communication; of data parallelism the parameters and the gradients by themselves.
struct Phase {
    Parallel kind;
    const char* name;
    bool isOfParameters = false; // gathered, of data parallelism
};
constexpr Phase phases[] = {{Parallel::Data, "parameters of data parallelism", true},
                            {Parallel::Tensor, "tensor parallelism"},
                            {Parallel::Context, "context parallelism"},
                            {Parallel::Expert, "expert parallelism"},
                            {Parallel::Pipeline, "pipeline parallelism"},
                            {Parallel::Data, "gradients of data parallelism"}};

bool isOf(const Phase& phase, const JobMessage& message) {
    return message.kind == phase.kind && (phase.kind != Parallel::Data || (message.op == CollectiveOp::AllGather) == phase.isOfParameters);
}

RankGroup groupOf(const JobMessage& message) {
    for (std::size_t g = 0; g < rankGroups; ++g)
        if (parallelsOf(static_cast<RankGroup>(g)) == message.over) return static_cast<RankGroup>(g);
    return RankGroup::Dense;
}

Seconds exposedOf(const TrainingBreakdown& of, Parallel kind) {
    switch (kind) {
    case Parallel::Tensor: return of.tensor;
    case Parallel::Context: return of.context;
    case Parallel::Expert: return of.expert;
    case Parallel::Data: return of.data;
    case Parallel::Pipeline: return of.pipeline;
    }
    return {};
}

std::string kindName(Parallel kind) { // DP
    std::string name(toText(kind));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return name;
}

std::string wordsOf(const std::vector<JobMessage>& messages) {
    std::string words;
    for (const JobMessage& message : messages)
        words += fmt::format("{}{} of {}, {} times, among {} GPUs", words.empty() ? "" : "; ", toText(message.op),
                             formatBytes(message.size), formatCount(std::llround(message.count)), formatCount(message.ranks));
    return words;
}

// The first GPUs of domains that send to each other; none if they are more than a drawing shows.
std::vector<std::pair<DeviceId, DeviceId>> domainHops(const Fabric& fabric, const std::vector<GpuFlow>& flows) {
    constexpr std::size_t most = 4096;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<DeviceId, DeviceId>> hops;
    for (const GpuFlow& flow : flows) {
        const auto from = fabric.devices.hbDomain[flow.from], to = fabric.devices.hbDomain[flow.to];
        if (from == none || to == none || from == to) continue;
        hops.try_emplace({from, to}, flow.from, flow.to);
        if (hops.size() > most) return {};
    }
    std::vector<std::pair<DeviceId, DeviceId>> gpus;
    for (const auto& [domains, pair] : hops) gpus.push_back(pair);
    return gpus;
}

} // namespace

Result<IterationSteps> IterationSteps::create(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan,
                                              const TrainingCalibration& calibration) {
    IterationSteps result;
    PlacedGroups groups(fabric, placed.gpus, calibration.collectives);
    auto estimate = estimateTraining(fabric, placed, plan, groups, calibration);
    if (!estimate) return estimate.errors();
    result.m_estimate = std::move(*estimate);
    result.m_gpus.assign(placed.gpus.begin(), placed.gpus.begin() + placed.job.gpus());
    const auto messages = messagesOf(fabric, placed, plan.overlapsData);
    if (!messages) return messages.errors();
    const auto traffic = jobTrafficOf(fabric, placed.job, placed.gpus);
    if (!traffic) return traffic.errors();
    GroupTimes times(placed.job, groups);
    double ofGradients = 0, ofData = 0; // bytes of messages; rings carry them in proportion
    for (const JobMessage& each : *messages) {
        if (each.kind != Parallel::Data) continue;
        const double bytes = static_cast<double>(each.size.count()) * each.count;
        ofData += bytes;
        if (each.op != CollectiveOp::AllGather) ofGradients += bytes;
    }
    Seconds start;
    for (const Phase& phase : phases) {
        std::vector<JobMessage> own;
        Seconds duration;
        for (const JobMessage& each : *messages) {
            if (!isOf(phase, each)) continue;
            const auto time = times.time(groupOf(each), each.op, static_cast<double>(each.size.count()));
            if (!time) return time.errors();
            duration += *time * each.count;
            own.push_back(each);
        }
        const double share = phase.kind != Parallel::Data ? 1 : (phase.isOfParameters ? ofData - ofGradients : ofGradients) / ofData;
        std::vector<GpuFlow> flows;
        for (const JobFlow& flow : traffic->flows)
            if (flow.kind == phase.kind && !own.empty()) flows.push_back({flow.from, flow.to, flow.bytes * share});
        if (flows.empty()) continue;
        result.m_steps.push_back({phase.name,
                                  fmt::format("{}; of all {} messages {} are exposed", wordsOf(own), kindName(phase.kind),
                                              formatSeconds(exposedOf(result.m_estimate.breakdown, phase.kind))),
                                  start, duration});
        result.m_kinds.push_back(phase.kind);
        result.m_hops.push_back(domainHops(fabric, flows));
        result.m_flows.push_back(std::move(flows));
        start += duration;
    }
    return result;
}

std::string IterationSteps::title() const {
    const TrainingEstimate& e = m_estimate;
    return fmt::format("One iteration of {} on {} GPUs: {}, exposed network share {}", e.job.model.name, formatCount(e.job.gpus()),
                       formatSeconds(e.iteration), formatShare(e.exposedOnNetwork() / e.iteration));
}

std::vector<std::pair<DeviceId, DeviceId>> IterationSteps::hopsOf(std::size_t step) const { return m_hops[step]; }

Result<LinkLoads> IterationSteps::loadsOf(const Fabric& fabric, std::size_t step) const {
    auto loads = linkLoads(fabric, {false, m_flows[step], {}}, {});
    if (loads && m_steps[step].duration > Seconds()) loads->ofGpu = Bandwidth(8 / m_steps[step].duration.value());
    return loads;
}

} // namespace railyard
