#include "core/routing/traffic.h"

#include <map>
#include <unordered_map>

namespace railyard {
namespace {

std::uint64_t pack(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; }

std::vector<double> ringLeaving(const Traffic& traffic, const std::vector<std::uint32_t>& set, std::size_t sets) {
    std::vector<double> leaving(sets);
    for (std::size_t u = 0; u < traffic.units.size(); ++u) {
        if (traffic.next[u] == none) continue;
        const std::uint32_t from = set[traffic.units[u].node], to = set[traffic.units[traffic.next[u]].node];
        if (from != none && from != to) leaving[from] += traffic.units[u].weight;
    }
    return leaving;
}

} // namespace

// leaving(G) = sum over keys of e(G,k) * (e(N,k) - e(G,k)), less what units of one domain would send each other.
std::vector<double> leavingSets(const SwitchGraph& graph, const Traffic& traffic, const std::vector<std::uint32_t>& set, std::size_t sets) {
    if (traffic.kind == Traffic::Kind::Ring) return ringLeaving(traffic, set, sets);
    std::unordered_map<std::uint64_t, double> inNetwork, inSet;                                         // (network | set, key)
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, double> domainNetwork, domainSet; // (domain, key, network | set)
    std::vector<std::uint32_t> networkOfSet(sets, none);
    for (const TrafficUnit& unit : traffic.units) {
        const std::uint32_t network = graph.network[unit.node], own = set[unit.node];
        inNetwork[pack(network, unit.key)] += unit.weight;
        domainNetwork[{unit.domain, unit.key, network}] += unit.weight;
        if (own == none) continue;
        networkOfSet[own] = network;
        inSet[pack(own, unit.key)] += unit.weight;
        domainSet[{unit.domain, unit.key, own}] += unit.weight;
    }
    std::vector<double> leaving(sets);
    for (const auto& [key, weight] : inSet) {
        const auto own = static_cast<std::uint32_t>(key >> 32);
        leaving[own] += weight * (inNetwork[pack(networkOfSet[own], static_cast<std::uint32_t>(key))] - weight);
    }
    for (const auto& [key, weight] : domainSet) {
        const auto& [domain, kind, own] = key;
        leaving[own] -= weight * (domainNetwork[{domain, kind, networkOfSet[own]}] - weight);
    }
    return leaving;
}

void demandTowards(const Traffic& traffic, const std::vector<std::vector<std::uint32_t>>& unitsOfNode, std::uint32_t target,
                   std::vector<double>& demand) {
    std::fill(demand.begin(), demand.end(), 0.0);
    if (traffic.kind == Traffic::Kind::Ring) {
        for (std::size_t u = 0; u < traffic.units.size(); ++u)
            if (traffic.next[u] != none && traffic.units[traffic.next[u]].node == target)
                demand[traffic.units[u].node] += traffic.units[u].weight;
    } else {
        std::unordered_map<std::uint32_t, double> keys;
        std::unordered_map<std::uint64_t, double> sameDomain;
        for (const std::uint32_t u : unitsOfNode[target]) {
            keys[traffic.units[u].key] += traffic.units[u].weight;
            sameDomain[pack(traffic.units[u].domain, traffic.units[u].key)] += traffic.units[u].weight;
        }
        for (const TrafficUnit& unit : traffic.units) {
            const auto all = keys.find(unit.key);
            if (all == keys.end()) continue;
            const auto own = sameDomain.find(pack(unit.domain, unit.key));
            demand[unit.node] += unit.weight * (all->second - (own == sameDomain.end() ? 0 : own->second));
        }
    }
    demand[target] = 0;
}

} // namespace railyard
