// The exact bisection of small designs, to hold bounds and cuts against. It reads nothing but the tables of devices and links, as they are
// exported, and shares no code with what it tests: endpoints, network and flow are worked out here once more, in the plainest way.
#pragma once

#include "core/bisection/problem/bisection_problem.h"
#include "core/fabric/fabric.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <vector>

namespace railyard::test {

// Maximum flow by shortest augmenting paths: arc 2i runs one way, arc 2i + 1 back.
class PlainFlow {
public:
    void add(std::size_t u, std::size_t v, double capacity) {
        m_arcs.resize(std::max(m_arcs.size(), std::max(u, v) + 1));
        m_arcs[u].push_back(m_to.size());
        m_arcs[v].push_back(m_to.size() + 1);
        m_to.insert(m_to.end(), {v, u});
        m_capacity.insert(m_capacity.end(), {capacity, capacity});
    }
    double between(std::size_t source, std::size_t sink) {
        double flow = 0;
        for (std::vector<std::size_t> by; !(by = pathFrom(source, sink)).empty();) {
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t v = sink; v != source; v = m_to[by[v] ^ 1U]) least = std::min(least, m_capacity[by[v]]);
            for (std::size_t v = sink; v != source; v = m_to[by[v] ^ 1U]) m_capacity[by[v]] -= least, m_capacity[by[v] ^ 1U] += least;
            flow += least;
        }
        return flow;
    }

private:
    std::vector<std::size_t> pathFrom(std::size_t source, std::size_t sink) const { // by node: the arc that led there; empty without a path
        constexpr std::size_t unseen = std::numeric_limits<std::size_t>::max();
        std::vector<std::size_t> by(m_arcs.size(), unseen), queue{source};
        if (std::max(source, sink) >= m_arcs.size()) return {};
        for (std::size_t head = 0; head < queue.size() && by[sink] == unseen; ++head)
            for (const std::size_t arc : m_arcs[queue[head]])
                if (m_to[arc] != source && by[m_to[arc]] == unseen && m_capacity[arc] > 0.5)
                    by[m_to[arc]] = arc, queue.push_back(m_to[arc]);
        return by[sink] == unseen ? std::vector<std::size_t>() : by;
    }
    std::vector<std::vector<std::size_t>> m_arcs;
    std::vector<std::size_t> m_to;
    std::vector<double> m_capacity; // bit/s
};

class Oracle {
public:
    Oracle(const Fabric& fabric, BisectionKey key)
        : m_fabric(fabric),
          m_isByGpu(key != BisectionKey::Server),
          m_hasHb(key == BisectionKey::GpuWithHb) {
        for (const DeviceId d : fabric.devices.ids()) {
            if (kind(d) == DeviceKind::Switch) nodeOf(0, d);
            if (kind(d) != DeviceKind::Gpu) continue;
            const auto own = m_isByGpu ? std::uint32_t{d} : std::uint32_t{fabric.devices.hbDomain[d]};
            if (own != none && m_endpoint.try_emplace(own, m_endpoint.size()).second) m_speed.push_back(0);
        }
        for (const LinkId l : fabric.links.ids())
            if (fabric.links.tier[l] == LinkTier::Pcie) m_users[fabric.links.b[l]].push_back(fabric.links.a[l]);
        for (const LinkId l : fabric.links.ids())
            if (fabric.links.tier[l] != LinkTier::Pcie && fabric.links.tier[l] != LinkTier::Hb) addNetworkLink(l);
        if (!m_hasHb) return;
        shareAmongUncabled();
        for (const auto& [device, endpoint] : m_endpoint) m_gpus[nodeOf(2, device)] = endpoint;
        for (const LinkId l : fabric.links.ids())
            if (fabric.links.tier[l] == LinkTier::Hb) addCable(nodeOf(2, fabric.links.a[l]), nodeOf(2, fabric.links.b[l]), l);
    }
    double bisectionGbps() const {
        double best = std::numeric_limits<double>::infinity();
        const auto n = static_cast<unsigned>(m_speed.size());
        for (std::uint32_t mask = 0; mask < (1U << n); ++mask) {
            if (static_cast<unsigned>(std::popcount(mask)) != n / 2) continue;
            PlainFlow flow;
            const auto side = [&](std::size_t endpoint) { return std::size_t{(mask >> endpoint & 1U) ? 0U : 1U}; };
            for (const auto& [ends, capacity] : m_cables) flow.add(ends.first, ends.second, capacity);
            for (const Port& port : m_ports) flow.add(m_hasHb ? port.gpu : side(port.endpoint), port.node, port.capacity);
            for (const auto& [gpu, endpoint] : m_gpus) flow.add(side(endpoint), gpu, m_speed[endpoint]);
            best = std::min(best, flow.between(0, 1));
        }
        return best / 1e9;
    }

private:
    struct Port {
        std::size_t endpoint, gpu, node;
        double capacity;
    };
    DeviceKind kind(DeviceId device) const { return m_fabric.devices.kind[device]; }
    // A switch (space 0), the middle of a cable from NIC to NIC (1), a GPU or HB switch (2). Nodes 0 and 1 are the sides.
    std::size_t nodeOf(int space, std::uint32_t index) {
        return m_nodes.try_emplace(std::pair(space, index), m_nodes.size() + 2).first->second;
    }
    void addCable(std::size_t a, std::size_t b, LinkId link) {
        m_cables[{std::min(a, b), std::max(a, b)}] += m_fabric.speedOf(link).value();
    }

    void addNetworkLink(LinkId link) {
        const DeviceId a = m_fabric.links.a[link], b = m_fabric.links.b[link];
        const double speed = m_fabric.speedOf(link).value();
        const bool isNic[] = {kind(a) == DeviceKind::Nic, kind(b) == DeviceKind::Nic};
        const auto isKnown = [&](DeviceId d) { return kind(d) == DeviceKind::Nic || kind(d) == DeviceKind::Switch; };
        if (!isKnown(a) || !isKnown(b)) return; // managers and hosts send nothing here
        if (!isNic[0] && !isNic[1]) return addCable(nodeOf(0, a), nodeOf(0, b), link);
        const std::size_t node = isNic[0] && isNic[1] ? nodeOf(1, link) : nodeOf(0, isNic[0] ? b : a);
        if (isNic[0]) addPort(a, node, speed);
        if (isNic[1]) addPort(b, node, speed);
    }
    void addPort(DeviceId nic, std::size_t node, double speed) {
        if (!m_isByGpu) {
            const auto found = m_endpoint.find(m_fabric.devices.hbDomain[nic]);
            if (found == m_endpoint.end()) return;
            m_speed[found->second] += speed;
            m_ports.push_back({found->second, 0, node, speed});
            return;
        }
        const std::vector<DeviceId>& users = m_users[nic];
        for (const DeviceId gpu : users) {
            const double share = speed / static_cast<double>(users.size());
            m_speed[m_endpoint.at(gpu)] += share;
            m_ports.push_back({m_endpoint.at(gpu), m_hasHb ? nodeOf(2, gpu) : 0, node, share});
        }
    }

    // GPUs whose NICs were never cabled have even shares in those of the GPUs that HB links join them with.
    void shareAmongUncabled() {
        const Fabric& drawn = m_fabric.intact ? *m_fabric.intact : m_fabric;
        std::vector<std::uint32_t> piece(drawn.devices.size());
        std::vector<bool> nics(piece.size()), cabled(piece.size());
        for (std::uint32_t d = 0; d < piece.size(); ++d) piece[d] = d;
        for (bool more = true; more;) { // every device takes the least number that HB links lead to
            more = false;
            for (const LinkId l : drawn.links.ids()) {
                if (drawn.links.tier[l] != LinkTier::Hb) continue;
                auto &x = piece[drawn.links.a[l]], &y = piece[drawn.links.b[l]];
                more = more || x != y;
                x = y = std::min(x, y);
            }
        }
        for (const LinkId l : drawn.links.ids())
            if (drawn.links.tier[l] == LinkTier::HostLeaf) nics[drawn.links.a[l]] = true;
        for (const LinkId l : drawn.links.ids())
            if (drawn.links.tier[l] == LinkTier::Pcie && nics[drawn.links.b[l]]) cabled[drawn.links.a[l]] = true;
        std::map<std::uint32_t, double> gpus, bare, speed; // by piece
        for (const DeviceId d : drawn.devices.ids())
            if (drawn.devices.kind[d] == DeviceKind::Gpu) ++gpus[piece[d]], bare[piece[d]] += cabled[d] ? 0 : 1;
        const auto pieceOf = [&](std::uint32_t gpu) { return piece[m_fabric.intact ? std::uint32_t{m_fabric.intactDevice[gpu]} : gpu]; };
        for (const auto& [gpu, endpoint] : m_endpoint) speed[pieceOf(gpu)] += m_speed[endpoint];
        for (const auto& [gpu, endpoint] : m_endpoint)
            if (const auto own = pieceOf(gpu); bare[own] > 0 && speed[own] > 0) m_speed[endpoint] = speed[own] / gpus[own];
    }

    const Fabric& m_fabric;
    const bool m_isByGpu, m_hasHb;
    std::map<std::pair<int, std::uint32_t>, std::size_t> m_nodes;
    std::map<std::uint32_t, std::size_t> m_endpoint; // by GPU or HB domain
    std::map<DeviceId, std::vector<DeviceId>> m_users;
    std::vector<double> m_speed;
    std::map<std::pair<std::size_t, std::size_t>, double> m_cables;
    std::map<std::size_t, std::size_t> m_gpus; // node of a GPU: its endpoint
    std::vector<Port> m_ports;
};

// Every balanced partition, each by max-flow: exact, for small designs.
inline double bruteForce(const Fabric& fabric, BisectionKey key) { return Oracle(fabric, key).bisectionGbps(); }

} // namespace railyard::test
