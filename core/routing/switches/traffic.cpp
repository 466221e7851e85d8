#include "core/routing/switches/traffic.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace railyard {
namespace {

std::uint64_t pack(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; }

} // namespace

std::array<std::vector<double>, 2> crossingSets(const Traffic& traffic, const std::vector<std::uint32_t>& set, std::size_t sets) {
    std::array<std::vector<double>, 2> crossing{std::vector<double>(sets), std::vector<double>(sets)};
    for (std::size_t u = 0; u < traffic.units.size(); ++u) {
        if (traffic.next[u] == none) continue;
        const auto from = set[traffic.units[u].node], to = set[traffic.units[traffic.next[u]].node];
        if (from == to) continue;
        if (from != none) crossing[0][from] += traffic.units[u].weight;
        if (to != none) crossing[1][to] += traffic.units[u].weight;
    }
    return crossing;
}

// leaving(G) = sum over keys of e(G,k) * (e(N,k) - e(G,k)), less what units of one domain would send each other.
std::vector<double> leavingSets(const SwitchGraph& graph, const Traffic& traffic, const std::vector<std::uint32_t>& set, std::size_t sets) {
    // What every kind of unit weighs in each network and set, and what a domain has of both, which stays inside it.
    std::unordered_map<std::uint64_t, double> inNetwork, inSet; // (network | set, key)
    struct Own {
        std::uint32_t domain, key, network, set;
        double weight;
    };
    std::vector<Own> own;
    own.reserve(traffic.units.size());
    std::vector<std::uint32_t> networkOfSet(sets, none);
    for (const TrafficUnit& unit : traffic.units) {
        const auto network = graph.network[unit.node], at = set[unit.node];
        inNetwork[pack(network, unit.key)] += unit.weight;
        own.push_back({unit.domain, unit.key, network, at, unit.weight});
        if (at == none) continue;
        networkOfSet[at] = network;
        inSet[pack(at, unit.key)] += unit.weight;
    }
    std::vector<double> leaving(sets);
    for (const auto& [key, weight] : inSet) {
        const auto at = static_cast<std::uint32_t>(key >> 32);
        leaving[at] += weight * (inNetwork[pack(networkOfSet[at], static_cast<std::uint32_t>(key))] - weight);
    }
    const auto place = [](const Own& o) { return std::tuple(o.domain, o.key, o.network, o.set); };
    const auto before = [&](const Own& a, const Own& b) { return place(a) < place(b); };
    if (!std::is_sorted(own.begin(), own.end(), before)) std::stable_sort(own.begin(), own.end(), before);
    const auto sameNetwork = [](const Own& a, const Own& b) { return a.domain == b.domain && a.key == b.key && a.network == b.network; };
    for (std::size_t first = 0, end = 0; first < own.size(); first = end) {
        double all = 0;
        for (; end < own.size() && sameNetwork(own[first], own[end]); ++end) all += own[end].weight;
        for (std::size_t u = first; u < end;) {
            double weight = 0;
            const auto at = own[u].set;
            for (; u < end && own[u].set == at; ++u) weight += own[u].weight;
            if (at != none) leaving[at] -= weight * (all - weight);
        }
    }
    return leaving;
}

void demandTowards(const Traffic& traffic, const std::vector<std::vector<std::uint32_t>>& unitsOfNode, NodeId target,
                   std::vector<double>& demand) {
    std::fill(demand.begin(), demand.end(), 0.0);
    if (traffic.kind == Traffic::Kind::Ring) {
        for (std::size_t u = 0; u < traffic.units.size(); ++u)
            if (traffic.next[u] != none && traffic.units[traffic.next[u]].node == target)
                demand[traffic.units[u].node] += traffic.units[u].weight;
    } else {
        std::unordered_map<std::uint32_t, double> keys;
        std::unordered_map<std::uint64_t, double> sameDomain;
        for (const auto u : unitsOfNode[target]) {
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
