#include "core/routing/gpu_ports.h"

#include "core/base/disjoint_sets.h"

#include <algorithm>

namespace railyard {
namespace {

// Servers of a domain of several each have a first NIC; they are told apart by the server.
std::uint32_t keyOf(const Fabric& fabric, const SwitchGraph::Host& host) {
    const DeviceTable& devices = fabric.devices;
    std::uint32_t key = devices.index[host.nic] + 4096U * (host.port - 1);
    const std::uint32_t server = devices.server[host.nic];
    if (server == none || fabric.servers[server] == fabric.hbDomains[devices.hbDomain[host.nic]]) return key;
    return key + 65536U * fabric.scopes[fabric.servers[server]].index;
}

std::vector<NicPort> portsOf(const Fabric& fabric, const SwitchGraph& graph) {
    std::vector<NicPort> ports;
    for (const SwitchGraph::Host& host : graph.hosts)
        if (const std::uint32_t domain = fabric.devices.hbDomain[host.nic]; domain != none)
            ports.push_back({host.nic, host.link, host.node, graph.network[host.node], domain, keyOf(fabric, host), host.capacity});
    return ports;
}

// Pieces of the HB fabrics, numbered by their first GPU.
void findUnits(const Fabric& fabric, GpuPorts& result) {
    DisjointSets pieces(fabric.devices.size());
    for (std::size_t l = 0; l < fabric.links.size(); ++l)
        if (fabric.links.tier[l] == LinkTier::Hb) pieces.join(fabric.links.a[l], fabric.links.b[l]);
    std::vector<std::uint32_t> number(fabric.devices.size(), none);
    result.unitOf.assign(fabric.devices.size(), none);
    for (const std::uint32_t gpu : result.gpus) {
        if (fabric.devices.hbDomain[gpu] == none) continue;
        std::uint32_t& own = number[pieces.find(gpu)];
        if (own == none) own = result.units++;
        result.unitOf[gpu] = own;
    }
}

} // namespace

Lists::Lists(std::size_t count, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs)
    : m_first(count + 1),
      m_items(pairs.size()) {
    for (const auto& [x, item] : pairs) ++m_first[x + 1];
    for (std::size_t x = 0; x < count; ++x) m_first[x + 1] += m_first[x];
    std::vector<std::uint32_t> at(m_first.begin(), m_first.end() - 1);
    for (const auto& [x, item] : pairs) m_items[at[x]++] = item;
}

GpuPorts gpuPortsOf(const Fabric& fabric, const SwitchGraph& graph) {
    using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    GpuPorts result;
    result.ports = portsOf(fabric, graph);
    const std::size_t devices = fabric.devices.size();
    Pairs ofNic, inDomain, inUnit, ofUnit, users, ofGpu;
    for (std::uint32_t p = 0; p < result.ports.size(); ++p) ofNic.emplace_back(result.ports[p].nic, p);
    for (std::uint32_t d = 0; d < devices; ++d) {
        if (fabric.devices.kind[d] != DeviceKind::Gpu) continue;
        result.gpus.push_back(d);
        if (fabric.devices.hbDomain[d] != none) inDomain.emplace_back(fabric.devices.hbDomain[d], d);
    }
    const Lists portsOfNic(devices, ofNic);
    for (std::size_t l = 0; l < fabric.links.size(); ++l) {
        if (fabric.links.tier[l] != LinkTier::Pcie) continue;
        users.emplace_back(fabric.links.b[l], fabric.links.a[l]);
        for (const std::uint32_t port : portsOfNic.of(fabric.links.b[l])) ofGpu.emplace_back(fabric.links.a[l], port);
    }
    result.portsOfGpu = Lists(devices, ofGpu);
    result.gpusOfDomain = Lists(fabric.hbDomains.size(), inDomain);
    result.gpusOfNic = Lists(devices, users);
    findUnits(fabric, result);
    for (const std::uint32_t gpu : result.gpus)
        if (result.unitOf[gpu] != none) inUnit.emplace_back(result.unitOf[gpu], gpu);
    for (std::uint32_t p = 0; p < result.ports.size(); ++p)
        if (const auto feeders = result.gpusOfNic.of(result.ports[p].nic); !feeders.empty() && result.unitOf[feeders.front()] != none)
            ofUnit.emplace_back(result.unitOf[feeders.front()], p);
    result.gpusOfUnit = Lists(result.units, inUnit);
    result.portsOfUnit = Lists(result.units, ofUnit);
    for (const std::uint32_t gpu : result.gpus) {
        Bandwidth own;
        for (const std::uint32_t port : result.portsOfGpu.of(gpu)) {
            const auto sharers = static_cast<double>(result.gpusOfNic.of(result.ports[port].nic).size());
            own += Bandwidth(result.ports[port].speed.value() / sharers);
        }
        result.fastest = std::max(result.fastest, own);
    }
    return result;
}

} // namespace railyard
