#include "core/routing/gpus/gpu_ports.h"

#include "core/base/disjoint_sets.h"

#include <algorithm>

namespace railyard {

// A failed server keeps its place, so the intact fabric counts.
NicKeys::NicKeys(const Fabric& fabric) : m_fabric(fabric), m_place(fabric.servers.size()) {
    const DeviceTable& devices = (fabric.intact ? *fabric.intact : fabric).devices;
    std::vector<std::uint32_t> servers(fabric.hbDomains.size());
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const std::uint32_t server = devices.server[d], domain = devices.hbDomain[d];
        if (devices.kind[d] != DeviceKind::Nic || server == none || domain == none) continue;
        if (m_place[server] == 0 && fabric.servers[server] != fabric.hbDomains[domain]) m_place[server] = ++servers[domain];
    }
}

std::uint32_t NicKeys::of(const SwitchGraph::Host& host) const {
    const std::uint32_t server = m_fabric.devices.server[host.nic];
    return m_fabric.devices.index[host.nic] + 4096U * (host.port - 1) + 65536U * (server == none ? 0 : m_place[server]);
}

std::uint32_t railOfPort(const Fabric& fabric, std::uint32_t nic, std::uint32_t key) {
    constexpr std::uint32_t own = 1U << 31;
    const std::uint32_t rail = fabric.devices.rail[nic];
    return rail == 0 || rail == none ? own | (key & 0xffffffU) : rail;
}

namespace {

std::vector<NicPort> portsOf(const Fabric& fabric, const SwitchGraph& graph) {
    const NicKeys keys(fabric);
    std::vector<NicPort> ports;
    for (const SwitchGraph::Host& host : graph.hosts)
        if (const std::uint32_t domain = fabric.devices.hbDomain[host.nic]; domain != none) {
            const std::uint32_t key = keys.of(host);
            const std::uint64_t rail = std::uint64_t{host.port} << 32 | railOfPort(fabric, host.nic, key);
            ports.push_back({host.nic, host.link, host.node, graph.network[host.node], domain, key, rail, host.capacity});
        }
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

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Of the GPUs in `result`, where `isOne` says which they are.
void findLists(const Fabric& fabric, const std::vector<bool>& isOne, GpuPorts& result) {
    const std::size_t devices = fabric.devices.size();
    Pairs ofNic, inDomain, inUnit, ofUnit, users, ofGpu;
    for (std::uint32_t p = 0; p < result.ports.size(); ++p) ofNic.emplace_back(result.ports[p].nic, p);
    for (const std::uint32_t gpu : result.gpus)
        if (fabric.devices.hbDomain[gpu] != none) inDomain.emplace_back(fabric.devices.hbDomain[gpu], gpu);
    const Lists portsOfNic(devices, ofNic);
    for (std::size_t l = 0; l < fabric.links.size(); ++l) {
        if (fabric.links.tier[l] != LinkTier::Pcie || !isOne[fabric.links.a[l]]) continue;
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
}

std::vector<bool> marked(std::size_t devices, const std::vector<std::uint32_t>& gpus) {
    std::vector<bool> isOne(devices);
    for (const std::uint32_t gpu : gpus) isOne[gpu] = true;
    return isOne;
}

} // namespace

GpuPorts gpuPortsOf(const Fabric& fabric, const SwitchGraph& graph) {
    GpuPorts result;
    result.ports = portsOf(fabric, graph);
    for (std::uint32_t d = 0; d < fabric.devices.size(); ++d)
        if (fabric.devices.kind[d] == DeviceKind::Gpu) result.gpus.push_back(d);
    findLists(fabric, marked(fabric.devices.size(), result.gpus), result);
    return result;
}

GpuPorts portsOfGroup(const Fabric& fabric, const SwitchGraph& graph, const std::vector<std::uint32_t>& members) {
    GpuPorts result;
    result.ports = portsOf(fabric, graph);
    result.gpus = members;
    std::sort(result.gpus.begin(), result.gpus.end());
    findLists(fabric, marked(fabric.devices.size(), members), result);
    double fastest = 0; // alike ports weigh 1, so that sums of millions of them stay exact
    for (const NicPort& port : result.ports) fastest = std::max(fastest, port.speed.value());
    for (NicPort& port : result.ports)
        port.weight = port.speed.value() / fastest / std::max(1.0, static_cast<double>(result.gpusOfNic.of(port.nic).size()));
    // What no HB link joins goes over the network, in one HB domain too: pieces stand in for domains.
    const auto inPiece = [&](std::uint32_t port, std::uint32_t unit) { result.ports[port].domain = unit; };
    for (std::uint32_t unit = 0; unit < result.units; ++unit)
        for (const std::uint32_t port : result.portsOfUnit.of(unit)) inPiece(port, unit);
    const auto isBare = [&](std::uint32_t gpu) { return result.portsOfGpu.of(gpu).empty() && result.unitOf[gpu] != none; };
    if (std::none_of(result.gpus.begin(), result.gpus.end(), isBare)) return result;
    const GpuPorts everyone = gpuPortsOf(fabric, graph); // with units of their own numbers
    Pairs ofGpu, ofUnit;
    for (std::uint32_t unit = 0; unit < result.units; ++unit) {
        const auto gpus = result.gpusOfUnit.of(unit), own = result.portsOfUnit.of(unit);
        const std::uint32_t wide = everyone.unitOf[gpus.front()];
        const auto lent = own.empty() ? everyone.portsOfUnit.of(wide) : own;
        for (const std::uint32_t port : lent) {
            ofUnit.emplace_back(unit, port);
            if (!own.empty()) continue;
            inPiece(port, unit);
            const double part = static_cast<double>(gpus.size()) / static_cast<double>(everyone.gpusOfUnit.of(wide).size());
            result.ports[port].speed = Bandwidth(result.ports[port].speed.value() * part);
        }
        for (const std::uint32_t gpu : gpus)
            for (const std::uint32_t port : isBare(gpu) ? lent : result.portsOfGpu.of(gpu)) ofGpu.emplace_back(gpu, port);
    }
    result.portsOfGpu = Lists(fabric.devices.size(), ofGpu);
    result.portsOfUnit = Lists(result.units, ofUnit);
    return result;
}

} // namespace railyard
