#include "core/routing/patterns.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

namespace railyard {
namespace {

std::vector<DeviceId> gpusOf(const Fabric& fabric) {
    std::vector<DeviceId> gpus;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.isGpu(d)) gpus.push_back(d);
    return gpus;
}

// The same numbers with every library: std::shuffle is free to differ. Nobody is left with itself: who would be changes
// places with its neighbour.
std::vector<std::uint32_t> drawOthers(std::size_t count, std::uint64_t seed) {
    std::vector<std::uint32_t> to(count);
    std::iota(to.begin(), to.end(), 0U);
    std::mt19937_64 random(seed);
    for (std::size_t i = count; i > 1; --i) std::swap(to[i - 1], to[random() % i]);
    for (std::size_t i = 0; i < count && count > 1; ++i)
        if (to[i] == i) std::swap(to[i], to[(i + 1) % count]);
    return to;
}

// By the GPU's own place in its domain, whatever is missing beside it: its server there, its number in that.
std::vector<GpuFlow> railRing(const Fabric& fabric, const std::vector<DeviceId>& gpus) {
    using Place = std::pair<std::uint32_t, std::uint32_t>;
    std::map<Place, std::vector<DeviceId>> rings;
    for (const DeviceId gpu : gpus) {
        const DomainId domain = fabric.devices.hbDomain[gpu];
        const ServerId server = fabric.devices.server[gpu];
        if (domain == none) continue;
        const bool isServer = server == none || fabric.servers[server] == fabric.hbDomains[domain];
        rings[{isServer ? 0 : fabric.scopes[fabric.servers[server]].index, fabric.devices.index[gpu]}].push_back(gpu);
    }
    std::vector<GpuFlow> flows;
    for (const auto& [place, ring] : rings)
        for (std::size_t i = 0; ring.size() > 1 && i < ring.size(); ++i) flows.push_back({ring[i], ring[(i + 1) % ring.size()], 1});
    return flows;
}

} // namespace

GpuTraffic trafficOf(const Fabric& fabric, Pattern pattern, std::uint64_t seed) {
    if (pattern == Pattern::AllToAll) return {true, {}, {}};
    return trafficAmong(fabric, gpusOf(fabric), pattern, seed);
}

GpuTraffic trafficAmong(const Fabric& fabric, const std::vector<DeviceId>& gpus, Pattern pattern, std::uint64_t seed) {
    GpuTraffic traffic;
    if (pattern == Pattern::AllToAll) return {true, {}, gpus};
    if (gpus.size() < 2) return traffic;
    if (pattern == Pattern::RailRing) traffic.flows = railRing(fabric, gpus);
    const auto others = pattern == Pattern::Permutation ? drawOthers(gpus.size(), seed) : std::vector<std::uint32_t>();
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        if (pattern == Pattern::Ring) traffic.flows.push_back({gpus[i], gpus[(i + 1) % gpus.size()], 1});
        if (pattern == Pattern::Permutation) traffic.flows.push_back({gpus[i], gpus[others[i]], 1});
        if (pattern == Pattern::Incast && i > 0) traffic.flows.push_back({gpus[i], gpus[0], 1});
    }
    return traffic;
}

} // namespace railyard
