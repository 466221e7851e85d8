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

void within(const GpuPorts& ports, std::span<const std::uint32_t> some, const Networks& networks, Ports& found) {
    found.clear();
    for (const std::uint32_t p : some)
        if (std::binary_search(networks.begin(), networks.end(), ports.ports[p].network)) found.push_back(p);
}
Ports within(const GpuPorts& ports, std::span<const std::uint32_t> some, const Networks& networks) {
    Ports found;
    within(ports, some, networks, found);
    return found;
}

// Over which of its ports a GPU can be reached from a domain that is in these networks: its own, else its domain's.
// Returns whether they are its own.
bool arrivals(const GpuPorts& ports, std::uint32_t gpu, const Networks& from, Ports& found) {
    within(ports, ports.portsOfGpu.of(gpu), from, found);
    if (!found.empty()) return true;
    within(ports, ports.portsOfUnit.of(ports.unitOf[gpu]), from, found);
    return false;
}

// Of a unit's ports the one on the rail of `to`, else all in its network.
Ports departures(const GpuPorts& ports, std::uint32_t unit, std::uint32_t to) {
    const NicPort& there = ports.ports[to];
    Ports inNetwork;
    for (const std::uint32_t p : ports.portsOfUnit.of(unit)) {
        if (ports.ports[p].network != there.network) continue;
        if (ports.ports[p].key == there.key) return {p};
        inNetwork.push_back(p);
    }
    return inNetwork;
}

double weightOf(const GpuPorts& ports, std::span<const std::uint32_t> some) {
    double weight = 0;
    for (const std::uint32_t p : some) weight += ports.ports[p].weight;
    return weight;
}

std::vector<PortPair> forwardedPairs(const GpuPorts& ports, std::uint32_t from, std::uint32_t to) {
    const std::uint32_t unit = ports.unitOf[from];
    if (unit == none || ports.unitOf[to] == none) return {};
    Ports there;
    arrivals(ports, to, networksOf(ports, ports.portsOfUnit.of(unit)), there);
    std::vector<PortPair> pairs;
    for (const std::uint32_t p : there) {
        const Ports here = departures(ports, unit, p);
        const double arriving = ports.ports[p].weight / weightOf(ports, there);
        for (const std::uint32_t own : here) pairs.push_back({own, p, arriving * ports.ports[own].weight / weightOf(ports, here)});
    }
    return pairs;
}

std::vector<PortPair> directPairs(const GpuPorts& ports, std::uint32_t from, std::uint32_t to) {
    const auto here = ports.portsOfGpu.of(from), there = ports.portsOfGpu.of(to);
    const Ports own = within(ports, here, networksOf(ports, there));
    std::vector<PortPair> pairs;
    for (const std::uint32_t p : own) {
        const Ports ends = within(ports, there, {ports.ports[p].network});
        const double leaving = ports.ports[p].weight / weightOf(ports, own);
        for (const std::uint32_t end : ends) pairs.push_back({p, end, leaving * ports.ports[end].weight / weightOf(ports, ends)});
    }
    return pairs;
}

using Weight = std::pair<std::uint32_t, double>; // of a port in a network
// GPUs whose ports lead to the same networks and weigh the same.
using Kinds = std::map<std::vector<Weight>, std::vector<std::uint32_t>>;

std::vector<Weight> networkOfEach(const GpuPorts& ports, std::span<const std::uint32_t> some) {
    std::vector<Weight> networks;
    for (const std::uint32_t p : some) networks.emplace_back(ports.ports[p].network, ports.ports[p].weight);
    std::sort(networks.begin(), networks.end());
    return networks;
}

double weightIn(const std::vector<Weight>& sorted, std::uint32_t network) {
    double weight = 0;
    for (auto own = std::lower_bound(sorted.begin(), sorted.end(), Weight(network, 0)); own != sorted.end() && own->first == network; ++own)
        weight += own->second;
    return weight;
}

// For each kind of sender and network, senders weigh what their ports do; receivers what is left: a share among their ports
// there, and among the ports that the sender has in networks of both.
std::vector<PortProduct> directProducts(const GpuPorts& ports) {
    Kinds kinds;
    for (const std::uint32_t gpu : ports.gpus) kinds[networkOfEach(ports, ports.portsOfGpu.of(gpu))].push_back(gpu);
    std::vector<PortProduct> products;
    for (const auto& [networks, senders] : kinds) {
        std::set<std::uint32_t> each;
        for (const auto& [network, weight] : networks) each.insert(network);
        for (const std::uint32_t network : each) {
            PortProduct product;
            for (const std::uint32_t gpu : senders)
                for (const std::uint32_t p : ports.portsOfGpu.of(gpu))
                    if (ports.ports[p].network == network) product.from.push_back({p, ports.ports[p].weight});
            for (const auto& [there, receivers] : kinds) {
                const double ends = weightIn(there, network);
                if (ends == 0) continue;
                double common = 0;
                for (const auto& [own, weight] : networks) common += weightIn(there, own) > 0 ? weight : 0;
                for (const std::uint32_t gpu : receivers)
                    for (const std::uint32_t p : ports.portsOfGpu.of(gpu))
                        if (ports.ports[p].network == network) product.to.push_back({p, ports.ports[p].weight / (ends * common)});
            }
            products.push_back(std::move(product));
        }
    }
    return products;
}

// Units by the networks that their ports lead to.
std::map<Networks, std::vector<std::uint32_t>> unitsByNetworks(const GpuPorts& ports) {
    std::map<Networks, std::vector<std::uint32_t>> kinds;
    for (std::uint32_t unit = 0; unit < ports.units; ++unit) kinds[networksOf(ports, ports.portsOfUnit.of(unit))].push_back(unit);
    return kinds;
}

double gpusIn(const GpuPorts& ports, std::uint32_t unit) { return static_cast<double>(ports.gpusOfUnit.of(unit).size()); }

// For each kind of sending unit and rail of arrival: a unit weighs as many as its GPUs on its port of that rail, a receiver its
// share of arrivals.
std::vector<PortProduct> forwardedProducts(const GpuPorts& ports) {
    std::vector<PortProduct> products;
    Ports there;
    std::uint32_t kind = 0;
    for (const auto& [networks, senders] : unitsByNetworks(ports)) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known; // network, key
        const std::size_t first = products.size();
        for (const std::uint32_t gpu : ports.gpus) {
            if (ports.unitOf[gpu] == none) continue;
            arrivals(ports, gpu, networks, there);
            for (const std::uint32_t p : there) {
                const auto [own, isNew] = known.try_emplace({ports.ports[p].network, ports.ports[p].key}, products.size());
                if (isNew) products.push_back({{}, {}, kind});
                products[own->second].to.push_back({p, ports.ports[p].weight / weightOf(ports, there)});
            }
        }
        for (const std::uint32_t unit : senders)
            for (std::size_t i = first; i < products.size(); ++i) {
                const Ports here = departures(ports, unit, products[i].to.front().port);
                for (const std::uint32_t p : here)
                    products[i].from.push_back({p, gpusIn(ports, unit) * ports.ports[p].weight / weightOf(ports, here)});
            }
        ++kind;
    }
    return products;
}

} // namespace

std::vector<PortPair> portPairs(const GpuPorts& ports, std::uint32_t from, std::uint32_t to, bool isForwarded) {
    return isForwarded ? forwardedPairs(ports, from, to) : directPairs(ports, from, to);
}

std::vector<PortProduct> allToAllProducts(const GpuPorts& ports, bool isForwarded) {
    return isForwarded ? forwardedProducts(ports) : directProducts(ports);
}

std::vector<Detour> detoursOf(const Fabric& fabric, const GpuPorts& ports,
                              const std::function<double(std::uint32_t, std::uint32_t)>& lost) {
    const auto kinds = unitsByNetworks(ports);
    std::vector<double> gpusOfKind;
    for (const auto& [networks, senders] : kinds) {
        gpusOfKind.push_back(0);
        for (const std::uint32_t unit : senders) gpusOfKind.back() += gpusIn(ports, unit);
    }
    // Of its own HB domain nothing comes over the network.
    std::vector<std::map<std::uint32_t, double>> inDomain(kinds.size());
    std::uint32_t kind = 0;
    for (const auto& [networks, senders] : kinds) {
        for (const std::uint32_t unit : senders)
            inDomain[kind][fabric.devices.hbDomain[ports.gpusOfUnit.of(unit).front()]] += gpusIn(ports, unit);
        ++kind;
    }
    std::vector<Detour> detours;
    Ports there;
    for (const std::uint32_t gpu : ports.gpus) {
        if (ports.unitOf[gpu] == none) continue;
        const auto all = ports.portsOfUnit.of(ports.unitOf[gpu]);
        std::vector<double> over(all.size());
        bool isAny = false;
        kind = 0;
        for (const auto& [networks, senders] : kinds) {
            if (!arrivals(ports, gpu, networks, there) && !there.empty()) {
                isAny = true;
                const auto own = inDomain[kind].find(fabric.devices.hbDomain[gpu]);
                const double units = gpusOfKind[kind] - (own == inDomain[kind].end() ? 0 : own->second);
                auto next = there.begin();
                for (std::size_t place = 0; place < all.size(); ++place) {
                    if (next == there.end() || *next != all[place]) continue; // in the same order
                    ++next;
                    over[place] += (units - lost(kind, all[place])) * ports.ports[all[place]].weight / weightOf(ports, there);
                }
            }
            ++kind;
        }
        if (isAny) detours.push_back({gpu, std::move(over)});
    }
    return detours;
}

} // namespace railyard
