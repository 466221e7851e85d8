#include "core/routing/storage_loads.h"

#include "core/routing/switches/bundle_links.h"

#include <algorithm>
#include <map>
#include <set>

namespace railyard {
namespace {

struct Port {
    LinkId link;
    NodeId node;
    double bits = 0; // speed, or what is asked of it
};

class Storage {
public:
    Storage(const Fabric& fabric, const StorageTraffic& traffic) : m_fabric(fabric), m_traffic(traffic), m_graph(trafficGraphOf(fabric)) {
        const By<DeviceId, NodeId> nodeOf = nodesOfDevices(fabric, m_graph);
        std::set<ServerId> withGpus;
        for (const DeviceId d : fabric.devices.ids())
            if (fabric.devices.isGpu(d)) withGpus.insert(fabric.devices.server[d]);
        for (const LinkId l : fabric.links.ids()) {
            const DeviceId lower = fabric.links.a[l];
            const NodeId node = nodeOf[fabric.links.b[l]];
            if (!fabric.isNetworkLink(l) || node == none || nodeOf[lower] != none) continue;
            const Port port{l, node, fabric.speedOf(l).value()};
            const ServerId server = fabric.devices.server[lower];
            if (traffic.isStorage[lower])
                m_storage[m_graph.network[node]].push_back(port);
            else if (server != none && withGpus.count(server))
                m_servers[server].push_back(port);
        }
    }

    Result<StorageLoads> loads() {
        if (m_storage.empty()) return Error::unbuildable("no storage port is connected to a switch of this fabric");
        if (m_servers.empty()) return Error::unbuildable("no server remains that could use the storage");
        m_loads.aToB.assign(m_fabric.links.size(), 0);
        m_loads.bToA = m_loads.aToB;
        for (const auto& [server, ports] : m_servers) ask(server, ports);
        NodeDemands demands;
        for (const auto& [network, ports] : m_clients) demands.products.push_back(productOf(ports, m_storage.at(network)));
        const NodeLoads between = loadsBetweenNodes(m_graph, demands, Division::PerLink);
        if (!between.unreachable.empty()) countUnreached(between);
        for (const auto& [network, ports] : m_clients) carry(ports, m_storage.at(network), between);
        m_loads.reached = m_reached / (m_traffic.ofServer.value() * static_cast<double>(m_loads.servers));
        std::vector<double> up(m_fabric.links.size()), down(up);
        writeOverLinks(m_fabric, m_graph, between, Division::PerLink, up, down);
        for (std::size_t l = 0; l < up.size(); ++l) m_loads.aToB[l] += up[l], m_loads.bToA[l] += down[l];
        return std::move(m_loads);
    }

private:
    std::string nameOf(ServerId server) const { return m_fabric.scopePath(m_fabric.servers[server]); }

    void ask(ServerId server, const std::vector<Port>& ports) {
        double speed = 0;
        for (const Port& port : ports)
            if (m_storage.count(m_graph.network[port.node])) speed += port.bits;
        ++m_loads.servers;
        if (speed <= 0) {
            ++m_loads.cutOff;
            if (m_loads.example.empty()) m_loads.example = nameOf(server) + ": its NICs are not connected to the storage by a network";
            return;
        }
        for (const Port& port : ports) {
            const auto network = m_graph.network[port.node];
            if (!m_storage.count(network)) continue;
            m_clients[network].push_back({port.link, port.node, m_traffic.ofServer.value() * port.bits / speed});
            m_serversOfNode[port.node].insert(server);
        }
    }

    struct Side { // by node: what servers take there, or the share of what storage gives
        std::map<NodeId, double> taken, given;
    };
    Side sideOf(const std::vector<Port>& clients, const std::vector<Port>& storage) const {
        Side side;
        double speed = 0;
        for (const Port& port : storage) speed += port.bits;
        for (const Port& port : clients) side.taken[port.node] += port.bits;
        for (const Port& port : storage) side.given[port.node] += port.bits / speed;
        return side;
    }

    ProductDemand productOf(const std::vector<Port>& clients, const std::vector<Port>& storage) const {
        const Side side = sideOf(clients, storage);
        ProductDemand product;
        for (const auto& [node, bits] : side.taken) (m_traffic.isWrite ? product.from : product.to).push_back({node, bits});
        for (const auto& [node, share] : side.given) (m_traffic.isWrite ? product.to : product.from).push_back({node, share});
        return product;
    }

    // What leaves the storage comes in at the servers; writing is the reverse. What no way leads for is sent by nobody.
    void carry(const std::vector<Port>& clients, const std::vector<Port>& storage, const NodeLoads& between) {
        Side side = sideOf(clients, storage), left = side; // left: of storage what it gives all, of servers the share that comes
        double asked = 0, speed = 0;
        for (const auto& [node, bits] : side.taken) asked += bits;
        for (const Port& port : storage) speed += port.bits;
        for (auto& [node, share] : left.given) share = asked;
        for (auto& [node, bits] : left.taken) bits = 1;
        for (const auto& [from, to] : between.unreachable) {
            const NodeId server = m_traffic.isWrite ? from : to, giver = m_traffic.isWrite ? to : from;
            if (!side.taken.count(server) || !side.given.count(giver)) continue;
            left.taken[server] -= side.given[giver];
            left.given[giver] -= side.taken[server];
        }
        const auto add = [&](const Port& port, double bits, bool isSender) {
            (isSender ? m_loads.aToB : m_loads.bToA)[port.link] += std::max(0.0, bits);
        };
        for (const Port& port : clients) {
            add(port, port.bits * left.taken[port.node], m_traffic.isWrite);
            m_reached += port.bits * std::max(0.0, left.taken[port.node]);
        }
        for (const Port& port : storage) add(port, left.given[port.node] * port.bits / speed, !m_traffic.isWrite);
    }

    void countUnreached(const NodeLoads& between) {
        std::set<ServerId> servers;
        for (const auto& [from, to] : between.unreachable) {
            const auto found = m_serversOfNode.find(m_traffic.isWrite ? from : to);
            if (found != m_serversOfNode.end()) servers.insert(found->second.begin(), found->second.end());
        }
        if (servers.empty()) return;
        m_loads.cutOff += static_cast<std::int64_t>(servers.size());
        if (m_loads.example.empty())
            m_loads.example = nameOf(*servers.begin()) + ": there is no up-down path between its switches and those of the storage";
    }

    const Fabric& m_fabric;
    const StorageTraffic& m_traffic;
    const SwitchGraph m_graph;
    std::map<std::uint32_t, std::vector<Port>> m_storage, m_clients; // by network
    std::map<ServerId, std::vector<Port>> m_servers;
    std::map<NodeId, std::set<ServerId>> m_serversOfNode;
    double m_reached = 0; // bit/s
    StorageLoads m_loads;
};

} // namespace

std::vector<bool> wholeServers(const Fabric& fabric, std::vector<bool> devices) {
    std::vector<bool> isTouched(fabric.servers.size());
    for (const DeviceId d : indices<DeviceId>(devices.size()))
        if (devices[d] && fabric.devices.server[d] != none) isTouched[fabric.devices.server[d]] = true;
    for (const DeviceId d : indices<DeviceId>(devices.size()))
        if (fabric.devices.server[d] != none && isTouched[fabric.devices.server[d]]) devices[d] = true;
    return devices;
}

Result<StorageLoads> storageLoads(const Fabric& fabric, const StorageTraffic& traffic) { return Storage(fabric, traffic).loads(); }

} // namespace railyard
