#include "core/collective/group_routes.h"

#include "core/collective/neighbours.h"
#include "core/routing/traffic.h"

#include <algorithm>
#include <limits>
#include <set>

namespace railyard {
namespace {

// So many bit/s from NIC ports to NIC ports, all at once.
class PortFlows {
public:
    explicit PortFlows(const std::vector<GroupPort>& ports) : m_ports(ports), m_out(ports.size()), m_in(ports.size()) {}
    void add(std::uint32_t out, std::uint32_t in, double rate) {
        m_out[out] += rate;
        m_in[in] += rate;
        m_isEmpty = false;
        if (m_ports[out].node != m_ports[in].node) m_flows.push_back({{m_ports[out].node, m_ports[in].node}, rate});
    }
    bool isEmpty() const { return m_isEmpty; }
    RoutedLoad route(const SwitchGraph& graph) {
        std::stable_sort(m_flows.begin(), m_flows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        Traffic traffic;
        traffic.kind = Traffic::Kind::Ring;
        for (std::size_t first = 0, end = 0; first < m_flows.size(); first = end) {
            double rate = 0;
            for (; end < m_flows.size() && m_flows[end].first == m_flows[first].first; ++end) rate += m_flows[end].second;
            const auto unit = static_cast<std::uint32_t>(traffic.units.size());
            traffic.units.push_back({m_flows[first].first.first, unit, 0, rate});
            traffic.units.push_back({m_flows[first].first.second, unit + 1, 0, 0});
            traffic.next.insert(traffic.next.end(), {unit + 1, none});
        }
        return routeTraffic(graph, traffic);
    }
    double busiest() const { // of the ports, against what they carry
        double most = 0;
        for (std::size_t p = 0; p < m_ports.size(); ++p) most = std::max(most, std::max(m_out[p], m_in[p]) / m_ports[p].capacity);
        return most;
    }

private:
    const std::vector<GroupPort>& m_ports;
    std::vector<double> m_out, m_in;
    bool m_isEmpty = true;
    std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, double>> m_flows; // leaves, rate
};

std::string limitOf(const RoutedLoad& routed, double ofNics) { return routed.worst > ofNics * (1 + 1e-9) ? routed.bottleneck : "nic"; }

} // namespace

GroupRoutes::GroupRoutes(const Fabric& fabric, const SwitchGraph& graph, const GroupLayout& layout, const std::vector<GroupMember>& members)
    : m_graph(graph),
      m_layout(layout),
      m_ports(layout.ports),
      m_members(members),
      m_users(fabric.devices.size()),
      m_firstOfDomain(fabric.hbDomains.size() + 1, none) {
    std::vector<bool> isAsked(fabric.devices.size()); // GPUs at the end or the start of a domain, and the root: few
    isAsked[members.front().gpu] = true;
    for (std::size_t m = 0; m < members.size(); ++m) {
        const GroupMember &from = members[m], &to = members[(m + 1) % members.size()];
        if (from.domain != to.domain || from.domain == none) isAsked[from.gpu] = isAsked[to.gpu] = true;
    }
    for (std::uint32_t p = static_cast<std::uint32_t>(m_ports.size()); p-- > 0;) m_firstOfDomain[m_ports[p].domain] = p;
    for (std::size_t l = 0; l < fabric.links.size(); ++l) {
        const std::uint32_t gpu = fabric.links.a[l], nic = fabric.links.b[l];
        if (fabric.links.tier[l] != LinkTier::Pcie) continue;
        m_users[nic] += 1;
        const std::uint32_t domain = isAsked[gpu] ? fabric.devices.hbDomain[nic] : none;
        if (domain == none || m_firstOfDomain[domain] == none) continue;
        for (std::uint32_t p = m_firstOfDomain[domain]; p < lastOf(domain); ++p)
            if (m_ports[p].nic == nic) m_ofGpu[gpu].push_back(p);
    }
}

std::uint32_t GroupRoutes::lastOf(std::uint32_t domain) const {
    std::uint32_t p = m_firstOfDomain[domain];
    while (p < m_ports.size() && m_ports[p].domain == domain) ++p;
    return p;
}

std::uint32_t GroupRoutes::keyed(std::uint32_t domain, std::uint32_t key) const {
    if (domain == none || m_firstOfDomain[domain] == none) return none;
    for (std::uint32_t p = m_firstOfDomain[domain]; p < m_ports.size() && m_ports[p].domain == domain; ++p)
        if (m_ports[p].key == key) return p;
    return none;
}

GroupRoutes::PortPairs GroupRoutes::lanes(std::uint32_t from, std::uint32_t to) const {
    PortPairs found;
    if (from == none || m_firstOfDomain[from] == none) return found;
    for (std::uint32_t out = m_firstOfDomain[from]; out < m_ports.size() && m_ports[out].domain == from; ++out)
        if (const std::uint32_t in = keyed(to, m_ports[out].key); in != none && network(in) == network(out)) found.emplace_back(out, in);
    return found;
}

GroupLinks::Route GroupRoutes::ring() const {
    const auto& domains = m_layout.domains;
    PortFlows flows(m_ports);
    std::vector<PortPairs> hops;
    const auto speedOf = [&](const auto& lane) { return std::min(m_ports[lane.first].capacity, m_ports[lane.second].capacity); };
    for (std::size_t d = 0; d < domains.size(); ++d) {
        hops.push_back(lanes(domains[d], domains[(d + 1) % domains.size()]));
        for (const auto& lane : hops.back()) flows.add(lane.first, lane.second, speedOf(lane));
    }
    if (flows.isEmpty()) return {};
    const RoutedLoad routed = flows.route(m_graph);
    double slowest = std::numeric_limits<double>::infinity();
    for (const PortPairs& hop : hops) {
        double speed = 0;
        for (const auto& lane : hop) speed += speedOf(lane) / std::max(1.0, routed.worstOfTarget[m_ports[lane.second].node]);
        slowest = std::min(slowest, speed);
    }
    return {Bandwidth(slowest), limitOf(routed, 1)};
}

GroupLinks::Route GroupRoutes::trees() const {
    constexpr double flowsOfAnInnerPlace = 4; // one up and two down in one tree, one up in the other
    const auto& domains = m_layout.domains;
    PortFlows flows(m_ports);
    std::vector<PortPairs> edges;
    const auto speedOf = [&](const auto& lane) { return std::min(m_ports[lane.first].capacity, m_ports[lane.second].capacity); };
    for (const auto& [child, parent] : binaryTrees(domains.size())) {
        edges.push_back(lanes(domains[child], domains[parent]));
        for (const auto& lane : edges.back()) {
            flows.add(lane.first, lane.second, speedOf(lane) / flowsOfAnInnerPlace);
            flows.add(lane.second, lane.first, speedOf(lane) / flowsOfAnInnerPlace);
        }
    }
    if (flows.isEmpty()) return {};
    const RoutedLoad routed = flows.route(m_graph);
    double slowest = std::numeric_limits<double>::infinity();
    for (const PortPairs& edge : edges) {
        double speed = 0;
        for (const auto& lane : edge) {
            const double worst = std::max(routed.worstOfTarget[m_ports[lane.first].node], routed.worstOfTarget[m_ports[lane.second].node]);
            speed += speedOf(lane) / std::max(1.0, worst);
        }
        slowest = std::min(slowest, speed);
    }
    return {Bandwidth(slowest), limitOf(routed, 1)};
}

const std::vector<std::uint32_t>& GroupRoutes::portsOf(std::uint32_t gpu) const {
    static const std::vector<std::uint32_t> nothing;
    const auto own = m_ofGpu.find(gpu);
    return own == m_ofGpu.end() ? nothing : own->second;
}

// Ports in one network, each once.
GroupRoutes::PortPairs GroupRoutes::pairs(const GroupMember& from, const GroupMember& to, bool isForwarded) const {
    PortPairs found;
    std::set<std::uint32_t> taken;
    for (const std::uint32_t in : portsOf(to.gpu)) {
        std::uint32_t out = none;
        if (isForwarded) {
            out = keyed(from.domain, m_ports[in].key);
        } else {
            for (const std::uint32_t own : portsOf(from.gpu))
                if (out == none && !taken.count(own) && network(own) == network(in)) out = own;
        }
        if (out == none || network(out) != network(in)) continue;
        taken.insert(out);
        found.emplace_back(out, in);
    }
    return found;
}

GroupLinks::Route GroupRoutes::next(bool isForwarded) const {
    PortFlows flows(m_ports);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < m_members.size(); ++m) {
        const GroupMember &from = m_members[m], &to = m_members[(m + 1) % m_members.size()];
        if (from.domain == to.domain && from.domain != none) continue;
        double speed = 0;
        for (const auto& [out, in] : pairs(from, to, isForwarded)) {
            const double rate = std::min(shareOf(out), shareOf(in));
            flows.add(out, in, rate);
            speed += rate;
        }
        if (speed > 0) least = std::min(least, speed); // a GPU without a port: its domain's carry it
    }
    if (flows.isEmpty()) return {};
    const RoutedLoad routed = flows.route(m_graph);
    const double busiest = std::max(1.0, flows.busiest());
    return {Bandwidth(least / std::max(busiest, routed.worst)), limitOf(routed, busiest)};
}

// A root without a NIC takes part through those of its domain.
std::vector<std::uint32_t> GroupRoutes::portsOfRoot(bool isForwarded) const {
    const GroupMember& root = m_members.front();
    if (!isForwarded && !portsOf(root.gpu).empty()) return portsOf(root.gpu);
    std::vector<std::uint32_t> ports;
    if (root.domain == none || m_firstOfDomain[root.domain] == none) return ports;
    for (std::uint32_t p = m_firstOfDomain[root.domain]; p < lastOf(root.domain); ++p) ports.push_back(p);
    return ports;
}

// Over the port of the root's domain on the same rail, else over all those that the network leads to, by their speed.
void GroupRoutes::findWaysToRoot(std::uint32_t port, const std::vector<std::uint32_t>& ofRoot, bool isForwarded,
                                 std::vector<std::pair<std::uint32_t, double>>& shares) const {
    shares.clear();
    double all = 0;
    for (const std::uint32_t in : ofRoot) {
        if (network(in) != network(port)) continue;
        if (isForwarded && m_ports[in].key == m_ports[port].key) return shares.assign(1, {in, 1.0});
        shares.emplace_back(in, m_ports[in].capacity);
        all += m_ports[in].capacity;
    }
    for (auto& [in, share] : shares) share /= all;
}

GroupLinks::Route GroupRoutes::root(bool isForwarded, bool isToRoot) const {
    const std::vector<std::uint32_t> ofRoot = portsOfRoot(isForwarded);
    std::vector<bool> isReached(m_graph.networks);
    for (const std::uint32_t p : ofRoot) isReached[network(p)] = true;
    const std::uint32_t rootDomain = m_members.front().domain;
    const double outside = static_cast<double>(m_members.size()) -
                           static_cast<double>(std::count_if(m_members.begin(), m_members.end(),
                                                             [&](const GroupMember& m) { return m.domain == rootDomain; }));
    PortFlows flows(m_ports);
    std::vector<std::pair<std::uint32_t, double>> ways;
    for (std::uint32_t first = 0, end = 0; first < m_ports.size(); first = end) {
        double all = 0, reached = 0; // GPUs of a domain, and those behind ports that lead to the root
        for (end = first; end < m_ports.size() && m_ports[end].domain == m_ports[first].domain; ++end) {
            all += m_ports[end].gpus;
            if (isReached[network(end)]) reached += m_ports[end].gpus;
        }
        if (m_ports[first].domain == rootDomain) continue;
        if (reached <= 0) return {};
        for (std::uint32_t p = first; p < end; ++p) {
            if (!isReached[network(p)]) continue;
            findWaysToRoot(p, ofRoot, isForwarded, ways);
            for (const auto& [in, share] : ways) {
                const double rate = m_ports[p].gpus * all / reached / outside * share; // of 1 bit/s at the root
                isToRoot ? flows.add(p, in, rate) : flows.add(in, p, rate);
            }
        }
    }
    if (flows.isEmpty()) return {};
    const RoutedLoad routed = flows.route(m_graph);
    return {Bandwidth(1 / std::max(flows.busiest(), routed.worst)), limitOf(routed, flows.busiest())};
}

Bandwidth GroupRoutes::nicOfRoot() const {
    double speed = 0;
    for (const std::uint32_t p : portsOf(m_members.front().gpu)) speed += shareOf(p);
    return Bandwidth(speed);
}

// One that several GPUs share in parts.
double GroupRoutes::nicsOfRoot() const {
    std::set<std::uint32_t> nics;
    for (const std::uint32_t p : portsOf(m_members.front().gpu)) nics.insert(m_ports[p].nic);
    double count = 0;
    for (const std::uint32_t nic : nics) count += 1 / m_users[nic];
    return count;
}

double GroupRoutes::nicsOfRootDomain() const {
    std::set<std::uint32_t> nics;
    for (const std::uint32_t p : portsOfRoot(true)) nics.insert(m_ports[p].nic);
    return static_cast<double>(nics.size());
}

Bandwidth GroupRoutes::nicOfRootDomain() const {
    double speed = 0;
    for (const std::uint32_t p : portsOfRoot(true)) speed += m_ports[p].capacity;
    return Bandwidth(speed);
}

} // namespace railyard
