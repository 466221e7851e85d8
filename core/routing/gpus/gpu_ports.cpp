#include "core/routing/gpus/gpu_ports.h"

#include "core/base/disjoint_sets.h"

#include <algorithm>
#include <optional>

namespace railyard {

bool doAnyTwoMeet(const std::set<NetworkSet>& sets) {
    constexpr std::size_t most = 2000; // that are compared in pairs
    if (sets.empty()) return true;
    NetworkSet common = *sets.begin();
    for (const NetworkSet& own : sets) std::erase_if(common, [&own](std::uint32_t network) { return !own.contains(network); });
    if (!common.empty() || sets.size() > most || sets.begin()->empty()) return !common.empty();
    for (auto a = sets.begin(); a != sets.end(); ++a)
        for (auto b = std::next(a); b != sets.end(); ++b)
            if (std::none_of(a->begin(), a->end(), [&](std::uint32_t network) { return b->contains(network); })) return false;
    return true;
}

// A failed server keeps its place, so the intact fabric counts.
NicKeys::NicKeys(const Fabric& fabric) : m_fabric(fabric), m_place(fabric.servers.size()) {
    const DeviceTable& devices = (fabric.intact ? *fabric.intact : fabric).devices;
    std::vector<std::uint32_t> servers(fabric.hbDomains.size());
    for (const DeviceId d : devices.ids()) {
        const ServerId server = devices.server[d];
        const DomainId domain = devices.hbDomain[d];
        if (!devices.isNic(d) || server == none || domain == none) continue;
        if (m_place[server] == 0 && fabric.servers[server] != fabric.hbDomains[domain]) m_place[server] = ++servers[domain];
    }
}

std::uint32_t NicKeys::indexOf(const SwitchGraph::Host& host) const {
    const ServerId server = m_fabric.devices.server[host.nic];
    return m_fabric.devices.index[host.nic] + 4096U * (host.port - 1) + 65536U * (server == none ? 0 : m_place[server]);
}

std::uint32_t railOfPort(const Fabric& fabric, DeviceId nic, std::uint32_t key) {
    constexpr std::uint32_t own = 1U << 31;
    const auto rail = fabric.devices.rail[nic];
    return rail == 0 || rail == none ? own | (key & 0xffffffU) : rail;
}

namespace {

std::vector<NicPort> portsOf(const Fabric& fabric, const SwitchGraph& graph) {
    const NicKeys keys(fabric);
    std::vector<NicPort> ports;
    ports.reserve(graph.hosts.size());
    for (const SwitchGraph::Host& host : graph.hosts)
        if (const auto domain = fabric.devices.hbDomain[host.nic]; domain != none) {
            const auto key = keys.indexOf(host);
            const std::uint64_t rail = std::uint64_t{host.port} << 32 | railOfPort(fabric, host.nic, key);
            ports.push_back({host.nic, host.link, host.node, graph.network[host.node], domain, key, rail, host.capacity});
        }
    return ports;
}

// Pieces of the HB fabrics, numbered by their first GPU.
void findUnits(const Fabric& fabric, GpuPorts& result) {
    DisjointSets pieces(fabric.devices.size());
    for (const LinkId l : fabric.links.ids())
        if (fabric.links.tier[l] == LinkTier::Hb) pieces.join(fabric.links.a[l], fabric.links.b[l]);
    std::vector<std::uint32_t> number(fabric.devices.size(), none);
    result.unitOf.assign(fabric.devices.size(), none);
    for (const DeviceId gpu : result.gpus) {
        if (fabric.devices.hbDomain[gpu] == none) continue;
        std::uint32_t& own = number[pieces.find(gpu)];
        if (own == none) own = result.units++;
        result.unitOf[gpu] = own;
    }
}

} // namespace

namespace {

template <class Of, class Item>
using Pairs = std::vector<std::pair<Of, Item>>;

// Of the GPUs in `result`, where `isOne` says which they are.
void findLists(const Fabric& fabric, const std::vector<bool>& isOne, GpuPorts& result) {
    const std::size_t devices = fabric.devices.size();
    Pairs<DeviceId, std::uint32_t> ofNic, ofGpu;
    Pairs<std::uint32_t, DeviceId> inDomain, inUnit;
    Pairs<std::uint32_t, std::uint32_t> ofUnit;
    Pairs<DeviceId, DeviceId> users;
    for (auto* ofPorts : {&ofNic, &ofGpu}) ofPorts->reserve(result.ports.size());
    for (auto* ofGpus : {&inDomain, &inUnit}) ofGpus->reserve(result.gpus.size());
    ofUnit.reserve(result.ports.size());
    users.reserve(result.gpus.size());
    for (std::uint32_t p = 0; p < result.ports.size(); ++p) ofNic.emplace_back(result.ports[p].nic, p);
    for (const DeviceId gpu : result.gpus)
        if (fabric.devices.hbDomain[gpu] != none) inDomain.emplace_back(fabric.devices.hbDomain[gpu], gpu);
    const Lists portsOfNic(devices, ofNic);
    for (const LinkId l : fabric.links.ids()) {
        if (fabric.links.tier[l] != LinkTier::Pcie || !isOne[fabric.links.a[l]]) continue;
        users.emplace_back(fabric.links.b[l], fabric.links.a[l]);
        for (const auto port : portsOfNic.list(fabric.links.b[l])) ofGpu.emplace_back(fabric.links.a[l], port);
    }
    result.portsOfGpu = Lists(devices, ofGpu);
    result.gpusOfDomain = Lists(fabric.hbDomains.size(), inDomain);
    result.gpusOfNic = Lists(devices, users);
    findUnits(fabric, result);
    for (const DeviceId gpu : result.gpus)
        if (result.unitOf[gpu] != none) inUnit.emplace_back(result.unitOf[gpu], gpu);
    for (std::uint32_t p = 0; p < result.ports.size(); ++p)
        if (const auto feeders = result.gpusOfNic.list(result.ports[p].nic); !feeders.empty() && result.unitOf[feeders.front()] != none)
            ofUnit.emplace_back(result.unitOf[feeders.front()], p);
    result.gpusOfUnit = Lists(result.units, inUnit);
    result.portsOfUnit = Lists(result.units, ofUnit);
    for (const DeviceId gpu : result.gpus) {
        Bandwidth own;
        for (const auto port : result.portsOfGpu.list(gpu)) {
            const auto sharers = static_cast<double>(result.gpusOfNic.list(result.ports[port].nic).size());
            own += Bandwidth(result.ports[port].speed.value() / sharers);
        }
        result.fastest = std::max(result.fastest, own);
    }
}

// Whether any two units meet in a network by the ports that `portsOfUnit` says.
template <class PortsOf>
bool doUnitsMeet(const GpuPorts& ports, const PortsOf& portsOfUnit) {
    std::set<NetworkSet> sets;
    for (std::uint32_t unit = 0; unit < ports.units; ++unit) {
        NetworkSet own;
        for (const auto port : portsOfUnit(unit)) own.insert(ports.ports[port].network);
        sets.insert(std::move(own));
    }
    return doAnyTwoMeet(sets);
}

std::vector<bool> marked(std::size_t devices, const std::vector<DeviceId>& gpus) {
    std::vector<bool> isOne(devices);
    for (const DeviceId gpu : gpus) isOne[gpu] = true;
    return isOne;
}

} // namespace

GpuPorts gpuPortsOf(const Fabric& fabric, const SwitchGraph& graph) {
    GpuPorts result;
    result.ports = portsOf(fabric, graph);
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.isGpu(d)) result.gpus.push_back(d);
    findLists(fabric, marked(fabric.devices.size(), result.gpus), result);
    return result;
}

GpuPorts portsOfCommunicator(const Fabric& fabric, const SwitchGraph& graph, const std::vector<DeviceId>& members) {
    std::optional<GpuPorts> all;
    return portsOfCommunicator(fabric, graph, members, [&]() -> const GpuPorts& { return all.emplace(gpuPortsOf(fabric, graph)); });
}

GpuPorts portsOfCommunicator(const Fabric& fabric, const SwitchGraph& graph, const std::vector<DeviceId>& members,
                             const std::function<const GpuPorts&()>& portsOfAll) {
    GpuPorts result;
    result.ports = portsOf(fabric, graph);
    result.gpus = members;
    std::sort(result.gpus.begin(), result.gpus.end());
    findLists(fabric, marked(fabric.devices.size(), members), result);
    double fastest = 0; // alike ports weigh 1, so that sums of millions of them stay exact
    for (const NicPort& port : result.ports) fastest = std::max(fastest, port.speed.value());
    for (NicPort& port : result.ports)
        port.weight = port.speed.value() / fastest / std::max(1.0, static_cast<double>(result.gpusOfNic.list(port.nic).size()));
    // What no HB link joins goes over the network, in one HB domain too: pieces stand in for domains.
    const auto inPiece = [&](std::uint32_t port, std::uint32_t unit) { result.ports[port].domain = unit; };
    for (std::uint32_t unit = 0; unit < result.units; ++unit)
        for (const auto port : result.portsOfUnit.list(unit)) inPiece(port, unit);
    const auto isBare = [&](DeviceId gpu) { return result.portsOfGpu.list(gpu).empty() && result.unitOf[gpu] != none; };
    const bool areJoined = result.units < 2 || doUnitsMeet(result, [&](std::uint32_t unit) { return result.portsOfUnit.list(unit); });
    if (areJoined && std::none_of(result.gpus.begin(), result.gpus.end(), isBare)) return result;
    const GpuPorts& everyone = portsOfAll(); // with units of their own numbers
    const auto wideOf = [&](std::uint32_t unit) { return everyone.unitOf[result.gpusOfUnit.list(unit).front()]; };
    const bool sharesAll = !areJoined && doUnitsMeet(result, [&](std::uint32_t unit) { return everyone.portsOfUnit.list(wideOf(unit)); });
    Pairs<DeviceId, std::uint32_t> ofGpu;
    Pairs<std::uint32_t, std::uint32_t> ofUnit;
    for (std::uint32_t unit = 0; unit < result.units; ++unit) {
        const auto gpus = result.gpusOfUnit.list(unit);
        const auto own = result.portsOfUnit.list(unit);
        const bool isLent = own.empty() || sharesAll;
        const auto lent = isLent ? everyone.portsOfUnit.list(wideOf(unit)) : own;
        for (const auto port : lent) {
            ofUnit.emplace_back(unit, port);
            if (!isLent) continue;
            inPiece(port, unit);
            const double part = static_cast<double>(gpus.size()) / static_cast<double>(everyone.gpusOfUnit.list(wideOf(unit)).size());
            result.ports[port].speed = Bandwidth(result.ports[port].speed.value() * part);
        }
        for (const DeviceId gpu : gpus)
            for (const auto port : isLent || isBare(gpu) ? lent : result.portsOfGpu.list(gpu)) ofGpu.emplace_back(gpu, port);
    }
    result.portsOfGpu = Lists(fabric.devices.size(), ofGpu);
    result.portsOfUnit = Lists(result.units, ofUnit);
    return result;
}

} // namespace railyard
