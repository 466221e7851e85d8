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
      m_firstOfDomain(fabric.hbDomains.size(), none),
      m_endOfDomain(fabric.hbDomains.size(), none) {
    std::vector<bool> isMember(fabric.devices.size());
    for (const GroupMember& member : members) isMember[member.gpu] = true;
    std::vector<bool> isAsked(fabric.devices.size()); // GPUs at the end or the start of a domain, and the root
    isAsked[members.front().gpu] = true;
    for (std::size_t m = 0; m < members.size(); ++m) {
        const GroupMember &from = members[m], &to = members[(m + 1) % members.size()];
        if (from.domain != to.domain || from.domain == none) isAsked[from.gpu] = isAsked[to.gpu] = true;
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> feeds; // NIC, one of its GPUs that are asked for
    for (std::size_t l = 0; l < fabric.links.size(); ++l) {
        if (fabric.links.tier[l] != LinkTier::Pcie || !isMember[fabric.links.a[l]]) continue;
        if (isAsked[fabric.links.a[l]]) feeds.emplace_back(fabric.links.b[l], fabric.links.a[l]);
    }
    std::sort(feeds.begin(), feeds.end());
    for (std::uint32_t p = 0; p < m_ports.size(); ++p) {
        if (m_firstOfDomain[m_ports[p].domain] == none) m_firstOfDomain[m_ports[p].domain] = p;
        m_endOfDomain[m_ports[p].domain] = p + 1;
        for (auto feed = std::lower_bound(feeds.begin(), feeds.end(), std::pair(m_ports[p].nic, 0U));
             feed != feeds.end() && feed->first == m_ports[p].nic; ++feed)
            m_ofGpu[feed->second].push_back(p);
    }
}

std::uint32_t GroupRoutes::keyed(std::uint32_t domain, std::uint32_t key) const {
    if (firstOf(domain) == none) return none;
    const auto first = m_ports.begin() + firstOf(domain), end = m_ports.begin() + endOf(domain);
    const auto found = std::lower_bound(first, end, key, [](const GroupPort& port, std::uint32_t wanted) { return port.key < wanted; });
    return found == end || found->key != key ? none : static_cast<std::uint32_t>(found - m_ports.begin());
}

// What has no partner on its rail crosses to one that has none either: ranks may be anywhere, and NICs may be gone.
GroupRoutes::PortPairs GroupRoutes::lanes(std::uint32_t from, std::uint32_t to) const {
    PortPairs found;
    if (firstOf(from) == none || firstOf(to) == none) return found;
    const std::uint32_t most = std::max(endOf(from) - firstOf(from), endOf(to) - firstOf(to));
    for (std::uint32_t out = firstOf(from), in = firstOf(to); out < endOf(from); ++out) {
        while (in < endOf(to) && m_ports[in].key < m_ports[out].key) ++in;
        if (in < endOf(to) && m_ports[in].key == m_ports[out].key && network(in) == network(out)) found.emplace_back(out, in);
    }
    if (found.size() == most) return found;
    const std::size_t straight = found.size();
    std::vector<bool> isTaken(endOf(to) - firstOf(to));
    for (const auto& [out, in] : found) isTaken[in - firstOf(to)] = true;
    std::size_t next = 0; // of the straight ones, which stand in the order of their ports
    for (std::uint32_t out = firstOf(from); out < endOf(from); ++out) {
        if (next < straight && found[next].first == out) {
            ++next;
            continue;
        }
        for (std::uint32_t in = firstOf(to); in < endOf(to); ++in) {
            if (isTaken[in - firstOf(to)] || network(in) != network(out)) continue;
            isTaken[in - firstOf(to)] = true;
            found.emplace_back(out, in);
            break;
        }
    }
    return found;
}

// Every lane sends its speed over so many flows, back too where data goes both ways. One to where no way leads carries nothing.
GroupRoutes::Hops GroupRoutes::reached(const std::vector<PortPairs>& hops, double flowsOfAPort, bool isBothWays) const {
    PortFlows flows(m_ports);
    const auto speedOf = [&](const auto& lane) { return std::min(m_ports[lane.first].capacity, m_ports[lane.second].capacity); };
    for (const PortPairs& hop : hops)
        for (const auto& lane : hop) {
            flows.add(lane.first, lane.second, speedOf(lane) / flowsOfAPort);
            if (isBothWays) flows.add(lane.second, lane.first, speedOf(lane) / flowsOfAPort);
        }
    Hops result;
    if (flows.isEmpty()) return result;
    const RoutedLoad routed = flows.route(m_graph);
    result.bottleneck = limitOf(routed, 1);
    for (const PortPairs& hop : hops) {
        auto& lanes = result.all.emplace_back();
        lanes.reserve(hop.size());
        for (const auto& lane : hop) {
            const double there = routed.worstOfTarget[m_ports[lane.second].node],
                         back = isBothWays ? routed.worstOfTarget[m_ports[lane.first].node] : 0;
            lanes.push_back({lane.first, lane.second, speedOf(lane) / std::max({1.0, there, back})});
        }
    }
    return result;
}

GroupLinks::Route GroupRoutes::Hops::slowest() const {
    double slowest = std::numeric_limits<double>::infinity();
    for (const auto& lanes : all) {
        double speed = 0;
        for (const Flow& lane : lanes) speed += lane.rate;
        slowest = std::min(slowest, speed);
    }
    return {Bandwidth(all.empty() ? 0 : slowest), bottleneck};
}

GroupRoutes::Hops GroupRoutes::ring() const {
    const auto& domains = m_layout.domains;
    std::vector<PortPairs> hops;
    for (std::size_t d = 0; d < domains.size(); ++d) hops.push_back(lanes(domains[d], domains[(d + 1) % domains.size()]));
    return reached(hops, 1, false);
}

GroupRoutes::Hops GroupRoutes::trees() const {
    constexpr double flowsOfAnInnerPlace = 4; // one up and two down in one tree, one up in the other
    const auto& domains = m_layout.domains;
    std::vector<PortPairs> edges;
    for (const auto& [child, parent] : binaryTrees(domains.size())) edges.push_back(lanes(domains[child], domains[parent]));
    return reached(edges, flowsOfAnInnerPlace, true);
}

std::vector<std::pair<std::uint32_t, double>> GroupRoutes::sharesOf(std::size_t member) const {
    std::vector<std::pair<std::uint32_t, double>> shares;
    const GroupMember& of = m_members[member];
    if (const auto own = m_ofGpu.find(of.gpu); own != m_ofGpu.end())
        for (const std::uint32_t port : own->second) shares.emplace_back(port, m_ports[port].capacity);
    if (!shares.empty() || firstOf(of.domain) == none) return shares;
    double all = 0;
    for (std::uint32_t p = firstOf(of.domain); p < endOf(of.domain); ++p) all += m_ports[p].capacity;
    for (std::uint32_t p = firstOf(of.domain); p < endOf(of.domain); ++p)
        shares.emplace_back(p, m_layout.nicOfGpu[member] * m_ports[p].capacity / all);
    return shares;
}

// From port to port of one network: straight where both ends have ports of their own, each once. Forwarded, over the port of the
// sender's domain that is on the receiver's rail. Else over all that lead there.
std::vector<GroupRoutes::Flow> GroupRoutes::hop(std::size_t from, std::size_t to, bool isForwarded) const {
    const auto out = sharesOf(from), in = sharesOf(to);
    const bool isSpread = m_layout.isOrphan[from] || m_layout.isOrphan[to];
    std::vector<Flow> flows;
    std::set<std::uint32_t> taken;
    for (const auto& [port, share] : in) {
        if (isForwarded && !m_layout.isOrphan[to]) {
            const std::uint32_t keyedPort = keyed(m_members[from].domain, m_ports[port].key);
            if (keyedPort != none && network(keyedPort) == network(port)) {
                flows.push_back({keyedPort, port, std::min(m_ports[keyedPort].capacity, share)});
                continue;
            }
        } else if (!isForwarded && !isSpread) {
            const auto own = std::find_if(out.begin(), out.end(), [&, in = port](const auto& each) {
                return !taken.count(each.first) && network(each.first) == network(in);
            });
            if (own == out.end()) continue;
            taken.insert(own->first);
            flows.push_back({own->first, port, std::min(own->second, share)});
            continue;
        }
        double all = 0, sent = 0; // ports of the sender's domain, or the sender's own, that lead there
        const auto leads = [&, in = port](std::uint32_t p) { return network(p) == network(in); };
        if (isForwarded && firstOf(m_members[from].domain) != none) {
            const std::uint32_t domain = m_members[from].domain;
            for (std::uint32_t p = firstOf(domain); p < endOf(domain); ++p)
                if (leads(p)) all += m_ports[p].capacity;
            for (std::uint32_t p = firstOf(domain); p < endOf(domain); ++p)
                if (leads(p)) flows.push_back({p, port, std::min(share, all) * m_ports[p].capacity / all});
            continue;
        }
        for (const auto& [p, speed] : out)
            if (leads(p)) all += speed;
        for (const auto& [p, speed] : out) {
            if (!leads(p)) continue;
            sent = std::min(share, all / static_cast<double>(in.size())) * speed / all;
            flows.push_back({p, port, sent});
        }
    }
    return flows;
}

GroupLinks::Route GroupRoutes::next(bool isForwarded) const {
    PortFlows flows(m_ports);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < m_members.size(); ++m) {
        const std::size_t after = (m + 1) % m_members.size();
        if (m_members[m].domain == m_members[after].domain && m_members[m].domain != none) continue;
        double speed = 0;
        for (const Flow& flow : hop(m, after, isForwarded)) {
            flows.add(flow.out, flow.in, flow.rate);
            speed += flow.rate;
        }
        least = std::min(least, speed);
    }
    if (flows.isEmpty() || least <= 0) return {};
    const RoutedLoad routed = flows.route(m_graph);
    if (!routed.connected) return {};
    const double busiest = std::max(1.0, flows.busiest());
    return {Bandwidth(least / std::max(busiest, routed.worst)), limitOf(routed, busiest)};
}

// A root without a NIC takes part through those of its domain.
std::vector<std::uint32_t> GroupRoutes::portsOfRoot(bool isForwarded) const {
    const GroupMember& root = m_members.front();
    if (const auto own = m_ofGpu.find(root.gpu); !isForwarded && own != m_ofGpu.end()) return own->second;
    std::vector<std::uint32_t> ports;
    if (firstOf(root.domain) == none) return ports;
    for (std::uint32_t p = firstOf(root.domain); p < endOf(root.domain); ++p) ports.push_back(p);
    return ports;
}

// Over the port of the root's domain on the same rail, else over all those that the network leads to, by their speed.
void GroupRoutes::findWaysToRoot(std::uint32_t port, const std::vector<std::uint32_t>& ofRoot, bool isForwarded,
                                 std::vector<std::pair<std::uint32_t, double>>& shares) const {
    shares.clear();
    if (isForwarded)
        if (const std::uint32_t in = keyed(m_members.front().domain, m_ports[port].key); in != none && network(in) == network(port))
            return shares.assign(1, {in, 1.0});
    double all = 0;
    for (const std::uint32_t in : ofRoot) {
        if (network(in) != network(port)) continue;
        shares.emplace_back(in, m_ports[in].capacity);
        all += m_ports[in].capacity;
    }
    for (auto& [in, share] : shares) share /= all;
}

std::vector<GroupRoutes::Flow> GroupRoutes::rootFlows(bool isForwarded, bool isToRoot) const {
    const std::vector<std::uint32_t> ofRoot = portsOfRoot(isForwarded);
    std::vector<bool> isReached(m_graph.networks);
    for (const std::uint32_t p : ofRoot) isReached[network(p)] = true;
    const std::uint32_t rootDomain = m_members.front().domain;
    const double outside = static_cast<double>(m_members.size()) -
                           static_cast<double>(std::count_if(m_members.begin(), m_members.end(),
                                                             [&](const GroupMember& m) { return m.domain == rootDomain; }));
    std::vector<Flow> flows;
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
                const double rate = m_ports[p].gpus * all / reached / outside * share;
                flows.push_back(isToRoot ? Flow{p, in, rate} : Flow{in, p, rate});
            }
        }
    }
    return flows;
}

GroupLinks::Route GroupRoutes::root(bool isForwarded, bool isToRoot) const {
    PortFlows flows(m_ports);
    for (const Flow& flow : rootFlows(isForwarded, isToRoot)) flows.add(flow.out, flow.in, flow.rate);
    if (flows.isEmpty()) return {};
    const RoutedLoad routed = flows.route(m_graph);
    if (!routed.connected) return {};
    double speed = 1 / std::max(flows.busiest(), routed.worst);
    if (!isForwarded && m_layout.isOrphan.front()) speed = std::min(speed, m_layout.nicOfGpu.front()); // it has no more of its domain's
    return {Bandwidth(speed), limitOf(routed, flows.busiest())};
}

Bandwidth GroupRoutes::nicOfRoot() const { return Bandwidth(m_layout.nicOfGpu.front()); }
double GroupRoutes::nicsOfRoot() const { return m_layout.nicsOfGpu.front(); }

double GroupRoutes::nicsOfRootDomain() const {
    std::unordered_map<std::uint32_t, double> nics;
    for (const std::uint32_t p : portsOfRoot(true)) nics[m_ports[p].nic] = m_ports[p].part;
    double count = 0;
    for (const auto& [nic, part] : nics) count += part;
    return count;
}

Bandwidth GroupRoutes::nicOfRootDomain() const {
    double speed = 0;
    for (const std::uint32_t p : portsOfRoot(true)) speed += m_ports[p].capacity;
    return Bandwidth(speed);
}

} // namespace railyard
