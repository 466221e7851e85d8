#include "core/collective/concurrent_jobs.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace railyard {
namespace {

std::vector<Error> sharedGpus(const Fabric& fabric, const std::vector<CollectiveJob>& jobs) {
    By<DeviceId, std::uint32_t> jobOf(fabric.devices.size(), none);
    for (std::size_t j = 0; j < jobs.size(); ++j)
        for (const DeviceId gpu : jobs[j].gpus) {
            if (jobOf[gpu] != none)
                return {Error::unbuildable(fmt::format("{} is in job {} and in job {}; a GPU can run only one job", fabric.devicePath(gpu),
                                                       jobOf[gpu] + 1, j + 1))};
            jobOf[gpu] = static_cast<std::uint32_t>(j);
        }
    return {};
}

// Means while the job runs alone; links by direction, a to b at 2 l and back at 2 l + 1.
Result<ResourceUse> useOf(const Fabric& fabric, const CollectiveSteps& steps, std::int64_t& lost) {
    const auto loads = steps.loadsOfAll(fabric);
    if (!loads) return loads.errors();
    lost = loads->unreachablePairs;
    ResourceUse use;
    const auto add = [&](std::size_t key, double bytes, LinkId link) {
        if (bytes <= 0) return;
        // Where a link is asked for more than it carries alone already, that is in the time alone.
        use.emplace_back(static_cast<std::uint32_t>(key), std::min(1.0, bytes * loads->ofGpu.value() / fabric.speedOf(link).value()));
    };
    for (const LinkId l : fabric.links.ids()) {
        add(2 * l, loads->aToB[l], l);
        add(2 * l + 1, loads->bToA[l], l);
    }
    return use;
}

// What is asked for may be more than links carry.
ResourceUse useOf(const Fabric& fabric, const StorageLoads& loads) {
    ResourceUse use;
    for (const LinkId l : fabric.links.ids())
        for (const bool isBack : {false, true})
            if (const double bits = (isBack ? loads.bToA : loads.aToB)[l]; bits > 0)
                use.emplace_back(static_cast<std::uint32_t>(2 * l + isBack), bits / fabric.speedOf(l).value());
    return use;
}

} // namespace

SharedSpeeds shareFairly(const std::vector<ResourceUse>& use, const std::vector<double>& weights) {
    constexpr double rounding = 1e-12;
    const std::size_t jobs = use.size();
    std::map<std::uint32_t, std::vector<std::pair<std::size_t, double>>> users; // by resource
    for (std::size_t j = 0; j < jobs; ++j)
        for (const auto& [resource, share] : use[j]) users[resource].emplace_back(j, share);
    SharedSpeeds shared{std::vector<double>(jobs, -1), std::vector<std::uint32_t>(jobs, none)}; // below 0: still rising
    for (std::size_t left = jobs; left > 0;) {
        double level = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < jobs; ++j)
            if (shared.speed[j] < 0) level = std::min(level, 1 / weights[j]);
        const auto fullAt = [&](const auto& of) {
            double held = 0, rising = 0;
            for (const auto& [j, share] : of) shared.speed[j] < 0 ? rising += weights[j]* share : held += shared.speed[j] * share;
            return rising > 0 ? std::max(0.0, 1 - held) / rising : std::numeric_limits<double>::infinity();
        };
        std::map<std::uint32_t, double> full;
        for (const auto& [resource, of] : users) level = std::min(level, full[resource] = fullAt(of));
        std::vector<double> now = shared.speed; // all of a round see what was before it
        for (std::size_t j = 0; j < jobs; ++j) {
            if (shared.speed[j] >= 0) continue;
            const bool isWhole = 1 / weights[j] <= level * (1 + rounding);
            const auto held = std::find_if(use[j].begin(), use[j].end(),
                                           [&](const auto& each) { return each.second > 0 && full[each.first] <= level * (1 + rounding); });
            if (!isWhole && held == use[j].end()) continue;
            now[j] = isWhole ? 1 : weights[j] * level;
            if (!isWhole) shared.bottleneck[j] = held->first;
            --left;
        }
        shared.speed = std::move(now);
    }
    return shared;
}

// On every resource by itself: who asks for less than its share by weight gets that, and the others share what is left.
std::vector<double> assuredSpeeds(const std::vector<ResourceUse>& use, const std::vector<double>& weights) {
    std::map<std::uint32_t, std::vector<std::pair<std::size_t, double>>> users; // by resource
    for (std::size_t j = 0; j < use.size(); ++j)
        for (const auto& [resource, share] : use[j])
            if (share > 0) users[resource].emplace_back(j, share);
    std::vector<double> speeds(use.size(), 1);
    for (auto& [resource, of] : users) {
        double room = 1, all = 0;
        for (const auto& [j, share] : of) all += weights[j];
        // Those that ask for least by weight are served first.
        std::sort(of.begin(), of.end(), [&](const auto& a, const auto& b) {
            return std::pair(a.second / weights[a.first], a.first) < std::pair(b.second / weights[b.first], b.first);
        });
        for (const auto& [j, share] : of) {
            const double given = std::min(share, room * weights[j] / all);
            speeds[j] = std::min(speeds[j], given / share);
            room -= given;
            all -= weights[j];
        }
    }
    return speeds;
}

Result<ConcurrentTimes> concurrentTimes(const Fabric& fabric, const std::vector<CollectiveJob>& jobs,
                                        const std::optional<ConcurrentStorage>& storage, const CollectiveRequest& request,
                                        const Calibration& calibration) {
    if (auto shared = sharedGpus(fabric, jobs); !shared.empty()) return shared;
    constexpr std::size_t mostWork = 200'000'000; // each job looks at every link: tens of seconds
    if (jobs.size() > mostWork / std::max<std::size_t>(1, fabric.links.size()))
        return Error::unbuildable(fmt::format("{} concurrent jobs on a fabric of {} links; the maximum is {}", jobs.size(),
                                              fabric.links.size(), mostWork / fabric.links.size()));
    ConcurrentTimes result;
    std::vector<JobTime>& times = result.jobs;
    std::vector<ResourceUse> use;
    std::vector<double> weights;
    for (const CollectiveJob& job : jobs) {
        const auto steps = CollectiveSteps::create(fabric, job.gpus, job.op, job.size, request, calibration);
        if (!steps) return steps.errors();
        times.push_back({steps->result(), 1, none, 0});
        auto own = useOf(fabric, *steps, times.back().lostPairs);
        if (!own) return own.errors();
        use.push_back(std::move(*own));
        weights.push_back(job.weight);
    }
    if (storage) {
        const auto loads = storageLoads(fabric, storage->traffic);
        if (!loads) return loads.errors();
        use.push_back(useOf(fabric, *loads));
        weights.push_back(storage->weight);
        StorageShare& share = result.storage.emplace();
        share.servers = loads->servers, share.cutOff = loads->cutOff, share.example = loads->example;
        share.alone = assuredSpeeds({use.back()}, {1}).front() * loads->reached;
        share.reached = loads->reached;
    }
    const SharedSpeeds shared = shareFairly(use, assuredSpeeds(use, weights));
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        times[j].slowdown = 1 / shared.speed[j];
        if (shared.bottleneck[j] != none) times[j].bottleneck = LinkId(shared.bottleneck[j] / 2);
    }
    std::vector<double> busy(2 * fabric.links.size());
    for (std::size_t j = 0; j < use.size(); ++j)
        for (const auto& [resource, part] : use[j]) busy[resource] += part * shared.speed[j];
    for (const LinkId l : fabric.links.ids()) result.ofLinks.push_back(std::max(busy[2 * l], busy[2 * l + 1]));
    if (storage) {
        result.storage->concurrent = shared.speed.back() * result.storage->reached;
        if (shared.bottleneck.back() != none) result.storage->bottleneck = LinkId(shared.bottleneck.back() / 2);
    }
    return result;
}

Result<std::vector<std::vector<DeviceId>>> tilesOf(const Fabric& fabric, std::int64_t jobs, JobPlacement placement,
                                                   const std::vector<bool>& leftOut) {
    std::vector<DeviceId> all = gpusInOrder(fabric, RankOrder::Near);
    std::erase_if(all, [&](DeviceId gpu) { return !leftOut.empty() && leftOut[gpu]; });
    const Neighbours neighbours(fabric, all);
    const auto& domains = neighbours.domains();
    const auto count = static_cast<std::int64_t>(domains.size());
    if (count == 0) return Error::unbuildable("no GPU is available for a job");
    if (jobs < 1 || jobs > count)
        return Error::unbuildable(fmt::format("jobs = {}: must be from 1 to {}, because every job uses whole HB domains", jobs, count));
    std::vector<std::vector<DeviceId>> tiles(static_cast<std::size_t>(jobs));
    for (std::int64_t d = 0; d < count; ++d) {
        auto& tile = tiles[static_cast<std::size_t>(placement == JobPlacement::Packed ? d * jobs / count : d % jobs)];
        const auto& gpus = domains[static_cast<std::size_t>(d)];
        tile.insert(tile.end(), gpus.begin(), gpus.end());
    }
    return tiles;
}

} // namespace railyard
