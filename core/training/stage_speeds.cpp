#include "core/training/stage_speeds.h"

#include "core/training/slow_servers.h"
#include "core/training/training.h"

#include <algorithm>
#include <map>
#include <set>

namespace railyard {

Result<PlacedSpeeds> PlacedSpeeds::create(const Fabric& fabric, const std::vector<DeviceId>& gpus, std::int64_t count, Precision precision,
                                          const std::vector<SlowServers>& slow, const TrainingCalibration& calibration) {
    const auto slowdowns = slowdownsOf(fabric, slow);
    if (!slowdowns) return slowdowns.errors();
    PlacedSpeeds placed;
    std::map<std::pair<std::uint32_t, double>, std::uint16_t> known; // by part and slowdown
    std::set<std::uint16_t> hosts;                                   // by part of the server
    std::optional<HostShare> slowest;                                // all wait for the slowest host, and for the one with least memory
    const std::size_t ranks = std::min(gpus.size(), static_cast<std::size_t>(count));
    placed.m_kindOf.reserve(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const ServerId server = fabric.devices.server[gpus[rank]];
        if (server != none && hosts.insert(fabric.serverParts[server]).second) {
            const HostShare host = hostOf(fabric, gpus[rank], calibration);
            slowest = slowest ? slowest->least(host) : host;
        }
        const double slowdown = slowdowns->empty() ? 1 : (*slowdowns)[gpus[rank]];
        const auto [at, isNew] = known.try_emplace({fabric.devices.part[gpus[rank]], slowdown}, static_cast<std::uint16_t>(known.size()));
        if (isNew) {
            auto speed = speedOf(fabric, gpus[rank], precision, calibration);
            if (!speed) return speed.errors();
            speed->slowdown = slowdown;
            placed.m_kinds.push_back(std::move(*speed));
        }
        placed.m_kindOf.push_back(at->second);
    }
    if (slowest)
        for (GpuSpeed& kind : placed.m_kinds) kind.host = *slowest;
    if (placed.m_kinds.size() < 2) placed.m_kindOf = {};
    return placed;
}

StageSpeeds PlacedSpeeds::speedsFor(const TrainingJob& job) const {
    StageSpeeds speeds;
    const std::int64_t stages = job.by(Parallel::Pipeline), ranks = job.gpus();
    if (m_kindOf.empty()) {
        speeds.sets = {{0}};
        speeds.setOfStage.assign(static_cast<std::size_t>(stages), 0);
        speeds.meanPeak = m_kinds.front().matrixPeak;
        speeds.leastMemory = {m_kinds.front().memoryBytes, m_kinds.front().host.memoryBytes};
        return speeds;
    }
    std::int64_t stride = 1; // from a stage to the next one
    for (const Parallel each : job.rankOrder) {
        if (each == Parallel::Pipeline) break;
        stride *= job.by(each);
    }
    std::vector<std::int64_t> counts(m_kinds.size());
    std::vector<std::set<std::uint16_t>> ofStages(static_cast<std::size_t>(stages));
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        const std::uint16_t kind = m_kindOf[static_cast<std::size_t>(rank)];
        ++counts[kind];
        ofStages[static_cast<std::size_t>(rank / stride % stages)].insert(kind);
    }
    std::map<std::set<std::uint16_t>, std::uint16_t> known;
    for (const auto& own : ofStages) {
        const auto [at, isNew] = known.try_emplace(own, static_cast<std::uint16_t>(speeds.sets.size()));
        if (isNew) speeds.sets.emplace_back(own.begin(), own.end());
        speeds.setOfStage.push_back(at->second);
    }
    bool isFirst = true;
    for (std::size_t kind = 0; kind < counts.size(); ++kind) {
        if (counts[kind] == 0) continue;
        const GpuSpeed& speed = m_kinds[kind];
        speeds.meanPeak += speed.matrixPeak * static_cast<double>(counts[kind]) / static_cast<double>(ranks);
        MemoryLimits& least = speeds.leastMemory;
        least = isFirst ? MemoryLimits{speed.memoryBytes, speed.host.memoryBytes}
                        : MemoryLimits{std::min(least.gpuBytes, speed.memoryBytes), std::min(least.hostBytes, speed.host.memoryBytes)};
        isFirst = false;
    }
    return speeds;
}

std::vector<std::size_t> StageSpeeds::slowestOfSets(const std::vector<Seconds>& timeOfKind) const {
    std::vector<std::size_t> slowest;
    for (const auto& set : sets)
        slowest.push_back(*std::max_element(set.begin(), set.end(), [&](auto a, auto b) { return timeOfKind[a] < timeOfKind[b]; }));
    return slowest;
}

std::vector<std::size_t> StageSpeeds::slowestOfStages(const std::vector<Seconds>& timeOfKind) const {
    const std::vector<std::size_t> ofSets = slowestOfSets(timeOfKind);
    std::vector<std::size_t> slowest;
    for (const std::uint16_t set : setOfStage) slowest.push_back(ofSets[set]);
    return slowest;
}

} // namespace railyard
