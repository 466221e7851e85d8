#include "core/routing/nic_demands.h"

#include <algorithm>
#include <map>
#include <set>

namespace railyard {
namespace {

using Ports = std::vector<std::uint32_t>;
using Networks = std::vector<std::uint32_t>; // sorted, each once

Networks networksOf(const GpuPorts& ports, std::span<const std::uint32_t> some) {
    Networks networks;
    for (const std::uint32_t p : some) networks.push_back(ports.ports[p].network);
    std::sort(networks.begin(), networks.end());
    networks.erase(std::unique(networks.begin(), networks.end()), networks.end());
    return networks;
}

Ports within(const GpuPorts& ports, std::span<const std::uint32_t> some, const Networks& networks) {
    Ports found;
    for (const std::uint32_t p : some)
        if (std::binary_search(networks.begin(), networks.end(), ports.ports[p].network)) found.push_back(p);
    return found;
}

// Over which of its ports a GPU can be reached from a domain that is in these networks: its own, else its domain's.
Ports arrivals(const Fabric& fabric, const GpuPorts& ports, std::uint32_t gpu, const Networks& from) {
    Ports own = within(ports, ports.portsOfGpu.of(gpu), from);
    return own.empty() ? within(ports, ports.portsOfDomain.of(fabric.devices.hbDomain[gpu]), from) : own;
}

// Of a domain's ports the one on the rail of `to`, else all in its network.
Ports departures(const GpuPorts& ports, std::uint32_t domain, std::uint32_t to) {
    const NicPort& there = ports.ports[to];
    Ports inNetwork;
    for (const std::uint32_t p : ports.portsOfDomain.of(domain)) {
        if (ports.ports[p].network != there.network) continue;
        if (ports.ports[p].key == there.key) return {p};
        inNetwork.push_back(p);
    }
    return inNetwork;
}

double share(std::size_t count) { return 1.0 / static_cast<double>(count); }

std::vector<PortPair> forwardedPairs(const Fabric& fabric, const GpuPorts& ports, std::uint32_t from, std::uint32_t to) {
    const std::uint32_t domain = fabric.devices.hbDomain[from];
    const Ports there = arrivals(fabric, ports, to, networksOf(ports, ports.portsOfDomain.of(domain)));
    std::vector<PortPair> pairs;
    for (const std::uint32_t p : there) {
        const Ports here = departures(ports, domain, p);
        for (const std::uint32_t own : here) pairs.push_back({own, p, share(there.size()) * share(here.size())});
    }
    return pairs;
}

std::vector<PortPair> directPairs(const GpuPorts& ports, std::uint32_t from, std::uint32_t to) {
    const auto here = ports.portsOfGpu.of(from), there = ports.portsOfGpu.of(to);
    const Ports own = within(ports, here, networksOf(ports, there));
    std::vector<PortPair> pairs;
    for (const std::uint32_t p : own) {
        const Ports ends = within(ports, there, {ports.ports[p].network});
        for (const std::uint32_t end : ends) pairs.push_back({p, end, share(own.size()) * share(ends.size())});
    }
    return pairs;
}

// GPUs (or domains) whose ports lead to the same networks, as often.
using Kinds = std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>>;

std::vector<std::uint32_t> networkOfEach(const GpuPorts& ports, std::span<const std::uint32_t> some) {
    std::vector<std::uint32_t> networks;
    for (const std::uint32_t p : some) networks.push_back(ports.ports[p].network);
    std::sort(networks.begin(), networks.end());
    return networks;
}

double countOf(const std::vector<std::uint32_t>& sorted, std::uint32_t value) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    return static_cast<double>(last - first);
}

// For each kind of sender and network, senders weigh 1 a port; receivers what is left: an even share among their ports
// there, and among the ports that the sender has in networks of both.
AllToAllDemand directDemand(const GpuPorts& ports) {
    Kinds kinds;
    for (const std::uint32_t gpu : ports.gpus) kinds[networkOfEach(ports, ports.portsOfGpu.of(gpu))].push_back(gpu);
    AllToAllDemand demand;
    for (const auto& [networks, senders] : kinds)
        for (const std::uint32_t network : std::set<std::uint32_t>(networks.begin(), networks.end())) {
            PortProduct product;
            for (const std::uint32_t gpu : senders)
                for (const std::uint32_t p : within(ports, ports.portsOfGpu.of(gpu), {network})) product.from.push_back({p, 1});
            for (const auto& [there, receivers] : kinds) {
                const double ends = countOf(there, network);
                if (ends == 0) continue;
                double common = 0;
                for (const std::uint32_t own : networks) common += countOf(there, own) > 0 ? 1 : 0;
                for (const std::uint32_t gpu : receivers)
                    for (const std::uint32_t p : within(ports, ports.portsOfGpu.of(gpu), {network}))
                        product.to.push_back({p, 1 / (ends * common)});
            }
            demand.products.push_back(std::move(product));
        }
    return demand;
}

// For each kind of sending domain (by its networks) and rail of arrival: a domain weighs as many as its GPUs on its port of
// that rail, a receiver its share of arrivals.
AllToAllDemand forwardedDemand(const Fabric& fabric, const GpuPorts& ports) {
    std::map<Networks, std::vector<std::uint32_t>> kinds; // domains
    for (std::uint32_t domain = 0; domain < fabric.hbDomains.size(); ++domain)
        if (!ports.gpusOfDomain.of(domain).empty()) kinds[networksOf(ports, ports.portsOfDomain.of(domain))].push_back(domain);
    AllToAllDemand demand;
    for (const auto& [networks, senders] : kinds) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> products; // network, key
        const std::size_t first = demand.products.size();
        for (const std::uint32_t gpu : ports.gpus) {
            if (fabric.devices.hbDomain[gpu] == none) continue;
            const Ports there = arrivals(fabric, ports, gpu, networks);
            const bool isDetour = within(ports, ports.portsOfGpu.of(gpu), networks).empty();
            for (const std::uint32_t p : there) {
                const auto [own, isNew] = products.try_emplace({ports.ports[p].network, ports.ports[p].key}, demand.products.size());
                if (isNew) demand.products.emplace_back();
                demand.products[own->second].to.push_back({p, share(there.size())});
                if (isDetour) demand.detours.push_back({gpu, own->second, {p, share(there.size())}});
            }
        }
        for (const std::uint32_t domain : senders)
            for (std::size_t i = first; i < demand.products.size(); ++i) {
                const Ports here = departures(ports, domain, demand.products[i].to.front().port);
                const double gpus = static_cast<double>(ports.gpusOfDomain.of(domain).size());
                for (const std::uint32_t p : here) demand.products[i].from.push_back({p, gpus * share(here.size())});
            }
    }
    return demand;
}

} // namespace

std::vector<PortPair> portPairs(const Fabric& fabric, const GpuPorts& ports, std::uint32_t from, std::uint32_t to, bool isForwarded) {
    return isForwarded ? forwardedPairs(fabric, ports, from, to) : directPairs(ports, from, to);
}

AllToAllDemand allToAllDemand(const Fabric& fabric, const GpuPorts& ports, bool isForwarded) {
    return isForwarded ? forwardedDemand(fabric, ports) : directDemand(ports);
}

} // namespace railyard
