#include "core/reliability/surroundings.h"

#include "core/base/random.h"

#include <algorithm>
#include <vector>

namespace railyard {

Surroundings surroundingsOf(const Fabric& fabric, const SwitchGraph& graph, const By<NodeId, std::uint64_t>& shape, int reach) {
    Surroundings around{shape, By<ServerId, std::uint64_t>(fabric.servers.size()), By<DeviceId, std::uint64_t>(fabric.devices.size())};
    By<DeviceId, std::uint64_t> ofOthers(fabric.devices.size()); // of NICs outside servers
    const auto unitOf = [&](DeviceId nic) -> std::uint64_t& {
        const ServerId server = fabric.devices.server[nic];
        return server != none ? around.ofServer[server] : ofOthers[nic];
    };
    for (int turn = 0; turn < reach; ++turn) {
        By<NodeId, std::uint64_t> next = around.ofNode;
        for (const SwitchGraph::Edge& edge : graph.edges) {
            const auto links = static_cast<std::uint64_t>(edge.links);
            next[edge.lower] += mixedBits(around.ofNode[edge.upper] + 3 * links);
            next[edge.upper] += mixedBits(around.ofNode[edge.lower] + 3 * links + 1);
        }
        std::fill(around.ofServer.begin(), around.ofServer.end(), 0);
        std::fill(ofOthers.begin(), ofOthers.end(), 0);
        for (const SwitchGraph::Host& host : graph.hosts)
            unitOf(host.nic) += mixedBits(around.ofNode[host.node] + static_cast<std::uint64_t>(host.capacity.value()));
        for (const SwitchGraph::Host& host : graph.hosts) next[host.node] += mixedBits(unitOf(host.nic) + 2);
        for (std::uint64_t& each : next) each = mixedBits(each);
        around.ofNode = std::move(next);
    }
    for (const SwitchGraph::Host& host : graph.hosts)
        if (reach > 0) around.ofNic[host.nic] += mixedBits(around.ofNode[host.node] + unitOf(host.nic));
    return around;
}

} // namespace railyard
