#include "core/routing/gpus/nic_demands.h"

#include <algorithm>
#include <map>
#include <set>

namespace railyard {
namespace {

using Ports = std::vector<std::uint32_t>;
using Networks = std::vector<std::uint32_t>; // sorted, each once

Networks networksOf(const GpuPorts& ports, std::span<const std::uint32_t> some) {
    Networks networks;
    for (const auto p : some) networks.push_back(ports.ports[p].network);
    std::sort(networks.begin(), networks.end());
    networks.erase(std::unique(networks.begin(), networks.end()), networks.end());
    return networks;
}

void within(const GpuPorts& ports, std::span<const std::uint32_t> some, const Networks& networks, Ports& found) {
    found.clear();
    for (const auto p : some)
        if (std::binary_search(networks.begin(), networks.end(), ports.ports[p].network)) found.push_back(p);
}
Ports within(const GpuPorts& ports, std::span<const std::uint32_t> some, const Networks& networks) {
    Ports found;
    within(ports, some, networks, found);
    return found;
}

// Over which of its ports a GPU can be reached from a domain that is in these networks: its own, else its domain's.
// Returns whether they are its own.
bool arrivals(const GpuPorts& ports, DeviceId gpu, const Networks& from, Ports& found) {
    within(ports, ports.portsOfGpu.list(gpu), from, found);
    if (!found.empty()) return true;
    within(ports, ports.portsOfUnit.list(ports.unitOf[gpu]), from, found);
    return false;
}

// Of a unit's ports the one on the rail of `to`, else all in its network.
Ports departures(const GpuPorts& ports, std::uint32_t unit, std::uint32_t to) {
    const NicPort& there = ports.ports[to];
    Ports inNetwork;
    for (const auto p : ports.portsOfUnit.list(unit)) {
        if (ports.ports[p].network != there.network) continue;
        if (ports.ports[p].key == there.key) return {p};
        inNetwork.push_back(p);
    }
    return inNetwork;
}

using RailAt = std::pair<std::uint32_t, std::uint64_t>; // network and rail
RailAt railAt(const NicPort& port) { return {port.network, port.rail}; }

Ports ownOn(const GpuPorts& ports, DeviceId gpu, const RailAt& rail) {
    Ports own;
    for (const auto p : ports.portsOfGpu.list(gpu))
        if (railAt(ports.ports[p]) == rail) own.push_back(p);
    return own;
}

double weightOf(const GpuPorts& ports, std::span<const std::uint32_t> some) {
    double weight = 0;
    for (const auto p : some) weight += ports.ports[p].weight;
    return weight;
}

std::vector<PortPair> forwardedPairs(const GpuPorts& ports, DeviceId from, DeviceId to) {
    const auto unit = ports.unitOf[from];
    if (unit == none || ports.unitOf[to] == none) return {};
    Ports there;
    arrivals(ports, to, networksOf(ports, ports.portsOfUnit.list(unit)), there);
    std::vector<PortPair> pairs;
    for (const auto p : there) {
        const Ports own = ownOn(ports, from, railAt(ports.ports[p]));
        const Ports here = own.empty() ? departures(ports, unit, p) : own;
        const double arriving = ports.ports[p].weight / weightOf(ports, there);
        for (const auto out : here) pairs.push_back({out, p, arriving * ports.ports[out].weight / weightOf(ports, here)});
    }
    return pairs;
}

std::vector<PortPair> directPairs(const GpuPorts& ports, DeviceId from, DeviceId to) {
    const auto here = ports.portsOfGpu.list(from), there = ports.portsOfGpu.list(to);
    if (here.size() == 1 && there.size() == 1) // as most have
        return ports.ports[here[0]].network == ports.ports[there[0]].network ? std::vector{PortPair{here[0], there[0], 1}}
                                                                             : std::vector<PortPair>();
    const Ports own = within(ports, here, networksOf(ports, there));
    std::vector<PortPair> pairs;
    for (const auto p : own) {
        const Ports ends = within(ports, there, {ports.ports[p].network});
        const double leaving = ports.ports[p].weight / weightOf(ports, own);
        for (const auto end : ends) pairs.push_back({p, end, leaving * ports.ports[end].weight / weightOf(ports, ends)});
    }
    return pairs;
}

using Weight = std::pair<std::uint32_t, double>; // of a port in a network
// GPUs whose ports lead to the same networks and weigh the same.
using Kinds = std::map<std::vector<Weight>, std::vector<DeviceId>>;

std::vector<Weight> networkOfEach(const GpuPorts& ports, std::span<const std::uint32_t> some) {
    std::vector<Weight> networks;
    for (const auto p : some) networks.emplace_back(ports.ports[p].network, ports.ports[p].weight);
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
    for (const DeviceId gpu : ports.gpus) kinds[networkOfEach(ports, ports.portsOfGpu.list(gpu))].push_back(gpu);
    std::vector<PortProduct> products;
    for (const auto& [networks, senders] : kinds) {
        std::set<std::uint32_t> each;
        for (const auto& [network, weight] : networks) each.insert(network);
        for (const auto network : each) {
            PortProduct product;
            for (const DeviceId gpu : senders)
                for (const auto p : ports.portsOfGpu.list(gpu))
                    if (ports.ports[p].network == network) product.from.push_back({p, ports.ports[p].weight});
            for (const auto& [there, receivers] : kinds) {
                const double ends = weightIn(there, network);
                if (ends == 0) continue;
                double common = 0;
                for (const auto& [own, weight] : networks) common += weightIn(there, own) > 0 ? weight : 0;
                for (const DeviceId gpu : receivers)
                    for (const auto p : ports.portsOfGpu.list(gpu))
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
    for (std::uint32_t unit = 0; unit < ports.units; ++unit) kinds[networksOf(ports, ports.portsOfUnit.list(unit))].push_back(unit);
    return kinds;
}

double gpusIn(const GpuPorts& ports, std::uint32_t unit) { return static_cast<double>(ports.gpusOfUnit.list(unit).size()); }

// The GPUs of a unit that have ports of their own on a rail, and what each sends through them.
struct OnRail {
    double gpus = 0;
    std::vector<PortWeight> ports;
};
std::map<RailAt, OnRail> railsOf(const GpuPorts& ports, std::uint32_t unit) {
    std::map<RailAt, OnRail> rails;
    for (const DeviceId gpu : ports.gpusOfUnit.list(unit)) {
        std::map<RailAt, Ports> own;
        for (const auto p : ports.portsOfGpu.list(gpu)) own[railAt(ports.ports[p])].push_back(p);
        for (const auto& [rail, some] : own) {
            OnRail& on = rails[rail];
            on.gpus += 1;
            for (const auto p : some) {
                const double weight = ports.ports[p].weight / weightOf(ports, some);
                on.ports.push_back({p, weight, weight});
            }
        }
    }
    return rails;
}

// What the GPUs of a unit send to a port: those on its rail through their own, the others through that of its place.
void addSenders(const GpuPorts& ports, std::uint32_t unit, const std::map<RailAt, OnRail>& rails, PortProduct& product) {
    const auto to = product.to.front().port;
    double others = gpusIn(ports, unit);
    if (const auto on = rails.find(railAt(ports.ports[to])); on != rails.end()) {
        product.from.insert(product.from.end(), on->second.ports.begin(), on->second.ports.end());
        others -= on->second.gpus;
    }
    if (others <= 0) return;
    const Ports here = departures(ports, unit, to);
    for (const auto p : here) product.from.push_back({p, others * ports.ports[p].weight / weightOf(ports, here), 0});
}

// For each kind of sending unit and place of arrival; a receiver weighs its share of arrivals.
std::vector<PortProduct> forwardedProducts(const GpuPorts& ports) {
    std::vector<PortProduct> products;
    Ports there;
    std::uint32_t kind = 0;
    for (const auto& [networks, senders] : unitsByNetworks(ports)) {
        std::map<std::pair<RailAt, std::uint32_t>, std::size_t> known; // rail, key
        const std::size_t first = products.size();
        for (const DeviceId gpu : ports.gpus) {
            if (ports.unitOf[gpu] == none) continue;
            arrivals(ports, gpu, networks, there);
            for (const auto p : there) {
                const NicPort& port = ports.ports[p];
                const auto [own, isNew] = known.try_emplace({railAt(port), port.key}, products.size());
                if (isNew) products.push_back({{}, {}, kind, port.rail});
                products[own->second].to.push_back({p, port.weight / weightOf(ports, there)});
            }
        }
        for (const auto unit : senders) {
            const auto rails = railsOf(ports, unit);
            for (std::size_t i = first; i < products.size(); ++i) addSenders(ports, unit, rails, products[i]);
        }
        ++kind;
    }
    return products;
}

} // namespace

std::vector<PortPair> portPairs(const GpuPorts& ports, DeviceId from, DeviceId to, bool isForwarded) {
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
        for (const auto unit : senders) gpusOfKind.back() += gpusIn(ports, unit);
    }
    // Of its own HB domain nothing comes over the network.
    std::vector<std::map<std::uint32_t, double>> inDomain(kinds.size());
    std::uint32_t kind = 0;
    for (const auto& [networks, senders] : kinds) {
        for (const auto unit : senders) inDomain[kind][fabric.devices.hbDomain[ports.gpusOfUnit.list(unit).front()]] += gpusIn(ports, unit);
        ++kind;
    }
    std::vector<Detour> detours;
    Ports there;
    for (const DeviceId gpu : ports.gpus) {
        if (ports.unitOf[gpu] == none) continue;
        const auto all = ports.portsOfUnit.list(ports.unitOf[gpu]);
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
