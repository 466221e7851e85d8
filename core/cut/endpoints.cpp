#include "core/cut/endpoints.h"

#include <algorithm>
#include <numeric>

namespace railyard {

double Endpoints::halfInjection() const {
    std::vector<double> slowest = speed;
    const auto middle = slowest.begin() + static_cast<std::ptrdiff_t>(slowest.size() / 2);
    std::nth_element(slowest.begin(), middle, slowest.end());
    return std::accumulate(slowest.begin(), middle, 0.0);
}

namespace {

Endpoints domains(const Fabric& fabric, const SwitchGraph& graph) {
    Endpoints ends;
    std::vector<std::uint32_t> number(fabric.hbDomains.size(), none);
    for (std::size_t d = 0; d < fabric.devices.size(); ++d) {
        const std::uint32_t domain = fabric.devices.hbDomain[d];
        if (fabric.devices.kind[d] != DeviceKind::Gpu || domain == none || number[domain] != none) continue;
        number[domain] = static_cast<std::uint32_t>(ends.size());
        ends.speed.push_back(0);
        ends.hbDomain.push_back(domain);
        ends.rail.push_back(0);
    }
    for (const auto& host : graph.hosts) {
        const std::uint32_t domain = fabric.devices.hbDomain[host.nic];
        if (domain == none || number[domain] == none) continue;
        ends.speed[number[domain]] += host.capacity.value();
        ends.attachments.push_back({number[domain], host.node, host.capacity.value()});
    }
    return ends;
}

Endpoints gpus(const Fabric& fabric, const SwitchGraph& graph) {
    Endpoints ends;
    std::vector<std::uint32_t> number(fabric.devices.size(), none);
    for (std::uint32_t d = 0; d < fabric.devices.size(); ++d) {
        if (fabric.devices.kind[d] != DeviceKind::Gpu) continue;
        number[d] = static_cast<std::uint32_t>(ends.size());
        ends.speed.push_back(0);
        ends.gpu.push_back(d);
        ends.hbDomain.push_back(fabric.devices.hbDomain[d]);
        ends.rail.push_back(fabric.devices.rail[d]);
    }
    std::vector<std::uint32_t> hostStart(fabric.devices.size() + 1), users(fabric.devices.size());
    for (const auto& host : graph.hosts) ++hostStart[host.nic + 1];
    for (std::size_t d = 0; d < fabric.devices.size(); ++d) hostStart[d + 1] += hostStart[d];
    std::vector<std::uint32_t> hostOf(graph.hosts.size()), at(hostStart.begin(), hostStart.end() - 1);
    for (std::uint32_t h = 0; h < graph.hosts.size(); ++h) hostOf[at[graph.hosts[h].nic]++] = h;
    const LinkTable& links = fabric.links;
    for (std::size_t l = 0; l < links.size(); ++l)
        if (links.tier[l] == LinkTier::Pcie) ++users[links.b[l]];
    for (std::size_t l = 0; l < links.size(); ++l) {
        if (links.tier[l] != LinkTier::Pcie) continue;
        const std::uint32_t nic = links.b[l], end = number[links.a[l]];
        for (std::uint32_t i = hostStart[nic]; i < hostStart[nic + 1]; ++i) {
            const auto& host = graph.hosts[hostOf[i]];
            const double share = host.capacity.value() / users[nic];
            ends.speed[end] += share;
            ends.attachments.push_back({end, host.node, share});
        }
    }
    return ends;
}

} // namespace

Endpoints endpointsOf(const Fabric& fabric, const SwitchGraph& graph, BisectionKey key) {
    return key == BisectionKey::Server ? domains(fabric, graph) : gpus(fabric, graph);
}

} // namespace railyard
