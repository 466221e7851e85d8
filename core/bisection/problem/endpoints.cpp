#include "core/bisection/problem/endpoints.h"

#include "core/base/disjoint_sets.h"

#include <algorithm>
#include <numeric>

namespace railyard {

Bandwidth Endpoints::halfInjection() const {
    std::vector<Bandwidth> slowest = speed;
    const auto middle = slowest.begin() + static_cast<std::ptrdiff_t>(slowest.size() / 2);
    std::nth_element(slowest.begin(), middle, slowest.end());
    return std::accumulate(slowest.begin(), middle, Bandwidth());
}

namespace {

Endpoints domains(const Fabric& fabric, const SwitchGraph& graph) {
    Endpoints ends;
    By<DomainId, std::uint32_t> number(fabric.hbDomains.size(), none);
    DomainId last; // of the GPU before
    for (const DeviceId d : fabric.devices.ids()) {
        const auto domain = fabric.devices.hbDomain[d];
        if (domain == last || !fabric.devices.isGpu(d)) continue;
        last = domain;
        if (domain == none || number[domain] != none) continue;
        number[domain] = static_cast<std::uint32_t>(ends.size());
        ends.speed.emplace_back();
        ends.hbDomain.push_back(domain);
        ends.rail.push_back(0);
    }
    ends.attachments.reserve(graph.hosts.size());
    for (const auto& host : graph.hosts) {
        const auto domain = fabric.devices.hbDomain[host.nic];
        if (domain == none || number[domain] == none) continue;
        ends.speed[number[domain]] += host.capacity;
        ends.attachments.push_back({number[domain], host.node, host.capacity});
    }
    return ends;
}

Endpoints gpus(const Fabric& fabric, const SwitchGraph& graph) {
    Endpoints ends;
    By<DeviceId, std::uint32_t> number(fabric.devices.size(), none);
    for (const DeviceId d : fabric.devices.ids()) {
        if (!fabric.devices.isGpu(d)) continue;
        number[d] = static_cast<std::uint32_t>(ends.size());
        ends.speed.emplace_back();
        ends.gpu.push_back(d);
        ends.hbDomain.push_back(fabric.devices.hbDomain[d]);
        ends.rail.push_back(fabric.devices.rail[d]);
    }
    std::vector<std::uint32_t> hostStart(fabric.devices.size() + 1), users(fabric.devices.size());
    for (const auto& host : graph.hosts) ++hostStart[host.nic + 1];
    for (const DeviceId d : fabric.devices.ids()) hostStart[d + 1] += hostStart[d];
    std::vector<std::uint32_t> hostOf(graph.hosts.size()), at(hostStart.begin(), hostStart.end() - 1);
    for (std::uint32_t h = 0; h < graph.hosts.size(); ++h) hostOf[at[graph.hosts[h].nic]++] = h;
    const LinkTable& links = fabric.links;
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Pcie) ++users[links.b[l]];
    for (const LinkId l : links.ids()) {
        if (links.tier[l] != LinkTier::Pcie) continue;
        const DeviceId nic = links.b[l];
        const auto end = number[links.a[l]];
        for (std::uint32_t i = hostStart[nic]; i < hostStart[nic + 1]; ++i) {
            const auto& host = graph.hosts[hostOf[i]];
            const Bandwidth share = host.capacity / users[nic];
            ends.speed[end] += share;
            ends.attachments.push_back({end, host.node, share});
        }
    }
    return ends;
}

std::vector<bool> gpusWithCabledNics(const Fabric& fabric) {
    std::vector<bool> nics(fabric.devices.size()), gpus(nics);
    const LinkTable& links = fabric.links;
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::HostLeaf) nics[links.a[l]] = true;
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Pcie && nics[links.b[l]]) gpus[links.a[l]] = true;
    return gpus;
}

void shareAmongUncabled(const Fabric& fabric, Endpoints& ends) {
    const Fabric& intact = fabric.intact ? *fabric.intact : fabric;
    const auto before = [&](DeviceId device) { return fabric.intact ? fabric.intactDevice[device] : device; };
    const std::vector<bool> isCabled = gpusWithCabledNics(intact);
    const auto isBare = [&](DeviceId gpu) { return !isCabled[before(gpu)]; };
    if (std::none_of(ends.gpu.begin(), ends.gpu.end(), isBare)) return;
    // As far as HB links lead now, and among the GPUs that are there now.
    DisjointSets joined(fabric.devices.size());
    for (const LinkId l : fabric.links.ids())
        if (fabric.links.tier[l] == LinkTier::Hb) joined.join(fabric.links.a[l], fabric.links.b[l]);
    std::vector<std::uint32_t> gpus(fabric.devices.size()), bare(gpus); // by piece of an HB fabric
    std::vector<Bandwidth> speed(fabric.devices.size());
    for (std::size_t e = 0; e < ends.size(); ++e) {
        const auto piece = joined.find(ends.gpu[e]);
        ++gpus[piece];
        bare[piece] += isBare(ends.gpu[e]) ? 1 : 0;
        speed[piece] += ends.speed[e];
    }
    for (std::size_t e = 0; e < ends.size(); ++e) {
        const auto piece = joined.find(ends.gpu[e]);
        if (bare[piece] == 0 || speed[piece] <= Bandwidth()) continue;
        ends.speed[e] = speed[piece] / gpus[piece];
        ends.isShared = true;
    }
}

} // namespace

Endpoints endpointsOf(const Fabric& fabric, const SwitchGraph& graph, BisectionKey key) {
    if (key == BisectionKey::Server) return domains(fabric, graph);
    Endpoints ends = gpus(fabric, graph);
    if (key == BisectionKey::GpuWithHb) shareAmongUncabled(fabric, ends);
    return ends;
}

std::size_t networksInUse(const SwitchGraph& graph, const Endpoints& ends) {
    std::vector<bool> used(graph.networks);
    for (const auto& a : ends.attachments) used[graph.network[a.node]] = true;
    return static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
}

} // namespace railyard
