#include "core/routing/flow_paths.h"

#include "core/routing/switches/flat_router.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace railyard {
namespace {

constexpr std::int64_t mostConnections = 20'000'000; // some seconds

// Splitmix64: the same draw for the same numbers, on any machine.
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

Error tooMany(std::int64_t connections) {
    return Error::usage(fmt::format("routing = hash: the pattern has {} flows, and the maximum is {}; reduce flows_per_pair, or use a "
                                    "pattern such as ring or permutation, or ecmp routing",
                                    connections, mostConnections));
}

// The links of every bundle.
Lists linksOfEdges(const Fabric& fabric, const SwitchGraph& graph) {
    std::vector<std::uint32_t> nodeOf(fabric.devices.size(), none);
    for (std::uint32_t v = 0; v < graph.device.size(); ++v) nodeOf[graph.device[v]] = v;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t l = 0; l < fabric.links.size(); ++l) {
        if (!fabric.isNetworkLink(l)) continue;
        const std::uint32_t lower = nodeOf[fabric.links.a[l]], upper = nodeOf[fabric.links.b[l]];
        if (lower == none || upper == none) continue;
        const auto run = graph.edgesAbove(lower);
        const auto found = std::lower_bound(run.begin(), run.end(), upper, [](const auto& e, std::uint32_t v) { return e.upper < v; });
        pairs.emplace_back(static_cast<std::uint32_t>(&*found - graph.edges.data()), l);
    }
    return {graph.edges.size(), pairs};
}

} // namespace

Result<HashedLoads> hashedLoads(const Fabric& fabric, const SwitchGraph& graph, const GpuPorts& ports, const std::vector<PortFlow>& flows,
                                const RoutingOptions& options) {
    const auto connections = static_cast<std::int64_t>(flows.size()) * options.connectionsPerPair;
    if (connections > mostConnections) return tooMany(connections);
    HashedLoads loads{std::vector<double>(fabric.links.size()), std::vector<double>(fabric.links.size()), {}};
    const Lists linksOf = linksOfEdges(fabric, graph);
    std::vector<std::uint32_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto target = [&](std::uint32_t flow) { return ports.ports[flows[flow].to].node; };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return target(a) < target(b); });
    FlatRouter router(graph);
    std::uint32_t aimed = none;
    std::vector<std::uint32_t> ways; // links
    for (const std::uint32_t f : order) {
        const PortFlow& flow = flows[f];
        if (target(f) != aimed) router.aimAt(aimed = target(f));
        const std::uint32_t start = ports.ports[flow.from].node;
        if (router.hops(start) >= FlatRouter::unreachable) {
            loads.unreachable.emplace_back(start, aimed);
            continue;
        }
        loads.aToB[ports.ports[flow.from].link] += flow.volume;
        loads.bToA[ports.ports[flow.to].link] += flow.volume;
        const double part = flow.volume / options.connectionsPerPair;
        for (int c = 0; c < options.connectionsPerPair; ++c) {
            const std::uint64_t connection = mix(mix(options.seed) ^ (std::uint64_t{f} << 8U | static_cast<unsigned>(c)));
            for (std::uint32_t v = start; v != aimed;) {
                ways.clear();
                router.eachNext(v, [&](const FlatRouter::Arc& arc) {
                    const auto links = linksOf.of(arc.edge);
                    ways.insert(ways.end(), links.begin(), links.end());
                });
                const std::uint32_t link = ways[mix(connection ^ v) % ways.size()];
                const bool up = router.goesUp(v);
                (up ? loads.aToB : loads.bToA)[link] += part;
                const std::uint32_t next = up ? fabric.links.b[link] : fabric.links.a[link];
                v = static_cast<std::uint32_t>(std::lower_bound(graph.device.begin(), graph.device.end(), next) - graph.device.begin());
            }
        }
    }
    std::sort(loads.unreachable.begin(), loads.unreachable.end());
    loads.unreachable.erase(std::unique(loads.unreachable.begin(), loads.unreachable.end()), loads.unreachable.end());
    return loads;
}

Result<std::vector<GpuFlow>> everyPair(const Fabric& fabric, const RoutingOptions& options) {
    std::vector<std::uint32_t> gpus;
    for (std::uint32_t d = 0; d < fabric.devices.size(); ++d)
        if (fabric.devices.kind[d] == DeviceKind::Gpu) gpus.push_back(d);
    const auto count = static_cast<std::int64_t>(gpus.size());
    if (count * (count - 1) * options.connectionsPerPair > mostConnections)
        return tooMany(count * (count - 1) * options.connectionsPerPair);
    std::vector<GpuFlow> flows;
    for (const std::uint32_t from : gpus)
        for (const std::uint32_t to : gpus)
            if (from != to) flows.push_back({from, to, 1.0 / static_cast<double>(count - 1)});
    return flows;
}

} // namespace railyard
