#include "core/routing/flow_paths.h"

#include "core/base/random.h"
#include "core/routing/switches/flat_router.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace railyard {
namespace {

constexpr std::int64_t mostConnections = 20'000'000; // some seconds

// The same draw for the same numbers.
std::uint64_t mix(std::uint64_t x) { return mixedBits(x + randomStep); }

Error tooMany(std::int64_t connections) {
    return Error::usage(fmt::format("routing = hash: the pattern has {} flows, and the maximum is {}; reduce flows_per_pair, or use a "
                                    "pattern such as ring or permutation, or ecmp routing",
                                    connections, mostConnections));
}

// The links of every bundle.
Lists<std::uint32_t, LinkId> linksOfEdges(const Fabric& fabric, const SwitchGraph& graph) {
    const By<DeviceId, NodeId> nodeOf = nodesOfDevices(fabric, graph);
    std::vector<std::pair<std::uint32_t, LinkId>> pairs;
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const NodeId lower = nodeOf[fabric.links.a[l]], upper = nodeOf[fabric.links.b[l]];
        if (lower == none || upper == none) continue;
        const auto run = graph.edgesAbove(lower);
        const auto found = std::lower_bound(run.begin(), run.end(), upper, [](const auto& e, NodeId v) { return e.upper < v; });
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
    const auto linksOf = linksOfEdges(fabric, graph);
    std::vector<std::uint32_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto target = [&](std::uint32_t flow) { return ports.ports[flows[flow].to].node; };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return target(a) < target(b); });
    FlatRouter router(graph);
    NodeId aimed;
    std::vector<LinkId> parallel;
    for (const auto f : order) {
        const PortFlow& flow = flows[f];
        if (target(f) != aimed) router.aimAt(aimed = target(f));
        const auto start = ports.ports[flow.from].node;
        if (router.hops(start) >= FlatRouter::unreachable) {
            loads.unreachable.emplace_back(start, aimed);
            continue;
        }
        const NicPort &from = ports.ports[flow.from], &to = ports.ports[flow.to];
        addAtNic(fabric, from.link, from.nic, flow.volume, 0, loads.aToB, loads.bToA);
        addAtNic(fabric, to.link, to.nic, 0, flow.volume, loads.aToB, loads.bToA);
        const double part = flow.volume / options.connectionsPerPair;
        for (int c = 0; c < options.connectionsPerPair; ++c) {
            const std::uint64_t connection = mix(mix(options.seed) ^ (std::uint64_t{f} << 8U | static_cast<unsigned>(c)));
            for (NodeId v = start; v != aimed;) {
                parallel.clear();
                router.eachNext(v, [&](const FlatRouter::Arc& arc) {
                    const auto links = linksOf.list(arc.edge);
                    parallel.insert(parallel.end(), links.begin(), links.end());
                });
                const LinkId link = parallel[mix(connection ^ v) % parallel.size()];
                const bool up = router.goesUp(v);
                (up ? loads.aToB : loads.bToA)[link] += part;
                const auto next = up ? fabric.links.b[link] : fabric.links.a[link];
                v = NodeId(std::lower_bound(graph.device.begin(), graph.device.end(), next) - graph.device.begin());
            }
        }
    }
    std::sort(loads.unreachable.begin(), loads.unreachable.end());
    loads.unreachable.erase(std::unique(loads.unreachable.begin(), loads.unreachable.end()), loads.unreachable.end());
    return loads;
}

Result<std::vector<GpuFlow>> everyPair(const Fabric& fabric, const RoutingOptions& options) {
    std::vector<DeviceId> gpus;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.isGpu(d)) gpus.push_back(d);
    const auto count = static_cast<std::int64_t>(gpus.size());
    if (count * (count - 1) * options.connectionsPerPair > mostConnections)
        return tooMany(count * (count - 1) * options.connectionsPerPair);
    std::vector<GpuFlow> flows;
    for (const auto from : gpus)
        for (const auto to : gpus)
            if (from != to) flows.push_back({from, to, 1.0 / static_cast<double>(count - 1)});
    return flows;
}

} // namespace railyard
