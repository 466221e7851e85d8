#include "core/collective/communicator/communicator_routes.h"

#include "core/collective/communicator/neighbours.h"
#include "core/collective/communicator/nic_balance.h"
#include "core/routing/switches/ecmp.h"
#include "core/routing/switches/traffic.h"

#include <algorithm>
#include <limits>
#include <set>

namespace railyard {
namespace {

// The sum of rates for each pair of switches, in the order in which they are added. Millions of flows are between few pairs: a table of
// the pairs takes less than sorting the flows.
class PairSums {
public:
    void add(NodeId from, NodeId to, double rate) {
        if (2 * m_sums.size() >= m_slots.size()) grow();
        std::uint32_t& slot = slotOf(from, to);
        if (slot == none) {
            slot = static_cast<std::uint32_t>(m_sums.size());
            m_sums.push_back({from, to, 0});
        }
        m_sums[slot].volume += rate;
    }
    std::vector<PairDemand> takeSorted() {
        std::sort(m_sums.begin(), m_sums.end(),
                  [](const PairDemand& a, const PairDemand& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
        return std::move(m_sums);
    }

private:
    std::uint32_t& slotOf(NodeId from, NodeId to) {
        const std::uint64_t key = std::uint64_t{from} << 32 | std::uint64_t{to};
        for (std::size_t at = (key * 0x9e3779b97f4a7c15ULL >> 20) & (m_slots.size() - 1);; at = (at + 1) & (m_slots.size() - 1)) {
            std::uint32_t& slot = m_slots[at];
            if (slot == none || (m_sums[slot].from == from && m_sums[slot].to == to)) return slot;
        }
    }
    void grow() {
        m_slots.assign(std::max<std::size_t>(64, 2 * m_slots.size()), none);
        for (std::uint32_t i = 0; i < m_sums.size(); ++i) slotOf(m_sums[i].from, m_sums[i].to) = i;
    }

    std::vector<PairDemand> m_sums;
    std::vector<std::uint32_t> m_slots; // indices of sums; a power of two of them, at least twice as many as sums
};

// So many bit/s from NIC ports to NIC ports, all at once.
class PortFlows {
public:
    explicit PortFlows(const std::vector<CommunicatorPort>& ports) : m_ports(ports), m_out(ports.size()), m_in(ports.size()) {}
    void add(std::uint32_t out, std::uint32_t in, double rate) {
        m_out[out] += rate;
        m_in[in] += rate;
        m_isEmpty = false;
        if (m_ports[out].node != m_ports[in].node) m_between.add(m_ports[out].node, m_ports[in].node, rate);
    }
    bool isEmpty() const { return m_isEmpty; }
    RoutedLoad route(const TrafficRouter& router, bool isOfTargets) { // once
        Traffic traffic;
        traffic.kind = Traffic::Kind::Ring;
        for (const PairDemand& pair : m_between.takeSorted()) {
            const auto unit = static_cast<std::uint32_t>(traffic.units.size());
            traffic.units.push_back({pair.from, unit, 0, pair.volume});
            traffic.units.push_back({pair.to, unit + 1, 0, 0});
            traffic.next.insert(traffic.next.end(), {unit + 1, none});
        }
        return router.route(traffic, isOfTargets);
    }
    double busiest() const { // of the ports, against what they carry
        double most = 0;
        for (std::size_t p = 0; p < m_ports.size(); ++p) most = std::max(most, std::max(m_out[p], m_in[p]) / m_ports[p].capacity);
        return most;
    }

private:
    const std::vector<CommunicatorPort>& m_ports;
    std::vector<double> m_out, m_in;
    bool m_isEmpty = true;
    PairSums m_between; // leaves
};

std::string limitOf(const RoutedLoad& routed, double ofNics) { return routed.worst > ofNics * (1 + 1e-9) ? routed.bottleneck : "nic"; }

} // namespace

CommunicatorRoutes::CommunicatorRoutes(const Fabric& fabric, const SwitchGraph& graph, const CommunicatorLayout& layout,
                                       const std::vector<CommunicatorMember>& members, std::shared_ptr<const TrafficRouter> router)
    : m_graph(graph),
      m_router(std::move(router)),
      m_layout(layout),
      m_ports(layout.ports),
      m_members(members),
      m_firstOfDomain(fabric.hbDomains.size(), none),
      m_endOfDomain(fabric.hbDomains.size(), none) {
    m_membersOfDomain.resize(fabric.hbDomains.size());
    m_speedOfDomain.resize(fabric.hbDomains.size());
    for (const CommunicatorPort& port : m_ports) m_speedOfDomain[port.domain] += port.capacity;
    std::vector<bool> isMember(fabric.devices.size());
    for (const CommunicatorMember& member : members) {
        isMember[member.gpu] = true;
        if (member.domain != none) m_membersOfDomain[member.domain] += 1;
    }
    std::vector<bool> isAsked(fabric.devices.size()); // GPUs at the end or the start of a domain, and the root
    isAsked[members.front().gpu] = true;
    for (std::size_t m = 0; m < members.size(); ++m) {
        const CommunicatorMember &from = members[m], &to = members[(m + 1) % members.size()];
        if (from.domain != to.domain || from.domain == none) isAsked[from.gpu] = isAsked[to.gpu] = true;
    }
    Feeds asked;
    for (const LinkId l : fabric.links.ids()) {
        if (fabric.links.tier[l] != LinkTier::Pcie || !isMember[fabric.links.a[l]]) continue;
        (isAsked[fabric.links.a[l]] ? asked : m_others).emplace_back(fabric.links.b[l], fabric.links.a[l]);
    }
    for (std::uint32_t p = 0; p < m_ports.size(); ++p) {
        if (m_firstOfDomain[m_ports[p].domain] == none) m_firstOfDomain[m_ports[p].domain] = p;
        m_endOfDomain[m_ports[p].domain] = p + 1;
    }
    findPorts(std::move(asked));
}

void CommunicatorRoutes::findPorts(Feeds feeds) {
    std::sort(feeds.begin(), feeds.end());
    for (std::uint32_t p = 0; p < m_ports.size(); ++p)
        for (auto feed = std::lower_bound(feeds.begin(), feeds.end(), std::pair(m_ports[p].nic, DeviceId(0)));
             feed != feeds.end() && feed->first == m_ports[p].nic; ++feed)
            m_ofGpu[feed->second].push_back(p);
}

CommunicatorRoutes CommunicatorRoutes::ofEveryMember() const {
    CommunicatorRoutes all = *this;
    all.findPorts(std::move(all.m_others));
    all.m_others.clear();
    for (std::size_t m = 0; m < m_members.size(); ++m) {
        const auto own = all.m_ofGpu.find(m_members[m].gpu);
        const bool isOnly = !m_layout.isOrphan[m] && own != all.m_ofGpu.end() && own->second.size() == 1;
        all.m_onlyPort.push_back(isOnly ? own->second.front() : none);
    }
    return all;
}

std::uint32_t CommunicatorRoutes::keyed(std::uint32_t domain, std::uint32_t key) const {
    if (firstOf(domain) == none) return none;
    const auto first = m_ports.begin() + firstOf(domain), end = m_ports.begin() + endOf(domain);
    const auto found =
        std::lower_bound(first, end, key, [](const CommunicatorPort& port, std::uint32_t wanted) { return port.key < wanted; });
    return found == end || found->key != key ? none : static_cast<std::uint32_t>(found - m_ports.begin());
}

// What has no partner on its rail crosses to one that has none either: ranks may be anywhere, and NICs may be gone.
CommunicatorRoutes::PortPairs CommunicatorRoutes::lanes(std::uint32_t from, std::uint32_t to) const {
    PortPairs found;
    if (firstOf(from) == none || firstOf(to) == none) return found;
    const auto most = std::max(endOf(from) - firstOf(from), endOf(to) - firstOf(to));
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

// Every lane divides its speed over this number of flows, back too where data goes both ways. One to where no way leads carries nothing.
CommunicatorRoutes::Hops CommunicatorRoutes::reached(const std::vector<PortPairs>& hops, double flowsOfAPort, bool isBidirectional) const {
    PortFlows flows(m_ports);
    const auto speedOf = [&](const auto& lane) { return std::min(m_ports[lane.first].capacity, m_ports[lane.second].capacity); };
    for (const PortPairs& hop : hops)
        for (const auto& lane : hop) {
            flows.add(lane.first, lane.second, speedOf(lane) / flowsOfAPort);
            if (isBidirectional) flows.add(lane.second, lane.first, speedOf(lane) / flowsOfAPort);
        }
    Hops result;
    if (flows.isEmpty()) return result;
    const RoutedLoad routed = flows.route(*m_router, true);
    result.bottleneck = limitOf(routed, 1);
    for (const PortPairs& hop : hops) {
        auto& lanes = result.all.emplace_back();
        lanes.reserve(hop.size());
        for (const auto& lane : hop) {
            const double there = routed.worstOfTarget[m_ports[lane.second].node],
                         back = isBidirectional ? routed.worstOfTarget[m_ports[lane.first].node] : 0;
            lanes.push_back({lane.first, lane.second, speedOf(lane) / std::max({1.0, there, back})});
        }
    }
    return result;
}

CommunicatorLinks::Route CommunicatorRoutes::Hops::slowest() const {
    double slowest = std::numeric_limits<double>::infinity();
    for (const auto& lanes : all) {
        double speed = 0;
        for (const Flow& lane : lanes) speed += lane.rate;
        slowest = std::min(slowest, speed);
    }
    return {Bandwidth(all.empty() ? 0 : slowest), bottleneck};
}

CommunicatorRoutes::Hops CommunicatorRoutes::ring() const {
    const auto& domains = m_layout.domains;
    std::vector<PortPairs> hops;
    for (std::size_t d = 0; d < domains.size(); ++d) hops.push_back(lanes(domains[d], domains[(d + 1) % domains.size()]));
    return reached(hops, 1, false);
}

CommunicatorRoutes::Hops CommunicatorRoutes::trees() const {
    const auto& domains = m_layout.domains;
    std::vector<PortPairs> edges;
    for (const auto& [child, parent] : binaryTrees(domains.size())) edges.push_back(lanes(domains[child], domains[parent]));
    return reached(edges, static_cast<double>(mostTreeEdges(static_cast<std::int64_t>(domains.size()))), true);
}

CommunicatorRoutes::Shares CommunicatorRoutes::ofDomain(std::uint32_t domain, double rate) const {
    Shares shares;
    if (firstOf(domain) == none) return shares;
    for (std::uint32_t p = firstOf(domain); p < endOf(domain); ++p)
        shares.emplace_back(p, rate * m_ports[p].capacity / m_speedOfDomain[domain]);
    return shares;
}

CommunicatorRoutes::Shares CommunicatorRoutes::sharesOf(std::size_t member) const {
    Shares shares;
    const CommunicatorMember& of = m_members[member];
    if (const auto own = m_ofGpu.find(of.gpu); own != m_ofGpu.end() && !m_layout.isOrphan[member])
        for (const auto port : own->second) shares.emplace_back(port, m_ports[port].capacity);
    return shares.empty() ? ofDomain(of.domain, m_layout.nicOfGpu[member]) : shares;
}

// Forwarded, a receiver may also share all NICs of its domain evenly, as it does without a NIC: faster where its own has lost ports, or
// where the sender's domain has lost those on its rail.
std::vector<CommunicatorRoutes::Flow> CommunicatorRoutes::hop(std::size_t from, std::size_t to, bool isForwarded) const {
    constexpr double rounding = 1e-9;
    const auto domain = m_members[to].domain;
    const HopEnd sender{sharesOf(from), m_members[from].domain, m_layout.isOrphan[from]};
    std::vector<Flow> own = flowsOf(sender, {sharesOf(to), domain, m_layout.isOrphan[to]}, isForwarded);
    if (!isForwarded || m_layout.isOrphan[to] || firstOf(domain) == none) return own;
    const auto rateOf = [](const std::vector<Flow>& flows) {
        double rate = 0;
        for (const Flow& flow : flows) rate += flow.rate;
        return rate;
    };
    const double even = m_speedOfDomain[domain] / m_membersOfDomain[domain];
    if (rateOf(own) >= even * (1 - rounding)) return own;
    std::vector<Flow> shared = flowsOf(sender, {ofDomain(domain, even), domain, true}, true);
    return rateOf(shared) > rateOf(own) ? shared : own;
}

// From port to port of one network. Forwarded, over the ports of the sender's domain on the rails of the receiver's ports, or over all
// that lead to the network if one of them is missing. Otherwise straight where both ends have ports of their own, each once, or over all.
std::vector<CommunicatorRoutes::Flow> CommunicatorRoutes::flowsOf(const HopEnd& from, const HopEnd& to, bool isForwarded) const {
    if (!isForwarded && !from.isSpread && !to.isSpread && from.shares.size() == 1 && to.shares.size() == 1) { // a port each, as usual
        const auto& [out, sent] = from.shares.front();
        const auto& [in, taken] = to.shares.front();
        return network(out) == network(in) ? std::vector<Flow>{{out, in, std::min(sent, taken)}} : std::vector<Flow>();
    }
    std::map<std::uint32_t, Shares> arriving; // by network
    for (const auto& each : to.shares) arriving[network(each.first)].push_back(each);
    std::vector<Flow> flows;
    for (const auto& [over, in] : arriving) {
        std::vector<Flow> straight;
        if (isForwarded && !to.isSpread) {
            for (const auto& [port, share] : in)
                if (const auto p = keyed(from.domain, m_ports[port].key); p != none && network(p) == over)
                    straight.push_back({p, port, std::min(m_ports[p].capacity, share)});
            if (straight.size() < in.size()) straight.clear();
        }
        if (straight.empty()) {
            const Shares out = leaving(from, over, isForwarded);
            if (isForwarded || from.isSpread || to.isSpread)
                straight = spread(out, in);
            else
                for (std::size_t i = 0; i < std::min(out.size(), in.size()); ++i)
                    straight.push_back({out[i].first, in[i].first, std::min(out[i].second, in[i].second)});
        }
        flows.insert(flows.end(), straight.begin(), straight.end());
    }
    return flows;
}

CommunicatorRoutes::Shares CommunicatorRoutes::leaving(const HopEnd& from, std::uint32_t over, bool isForwarded) const {
    Shares out;
    if (isForwarded && firstOf(from.domain) != none)
        for (std::uint32_t p = firstOf(from.domain); p < endOf(from.domain); ++p) {
            if (network(p) == over) out.emplace_back(p, m_ports[p].capacity);
        }
    else
        for (const auto& each : from.shares)
            if (network(each.first) == over) out.push_back(each);
    return out;
}

// From all of these ports to all of those, by the rates that they have.
std::vector<CommunicatorRoutes::Flow> CommunicatorRoutes::spread(const Shares& out, const Shares& in) {
    double sent = 0, taken = 0;
    for (const auto& [port, share] : out) sent += share;
    for (const auto& [port, share] : in) taken += share;
    std::vector<Flow> flows;
    const double rate = std::min(sent, taken);
    for (const auto& [to, received] : in)
        for (const auto& [from, leaving] : out) flows.push_back({from, to, rate * (received / taken) * (leaving / sent)});
    return flows;
}

CommunicatorLinks::Route CommunicatorRoutes::next(bool isForwarded) const {
    return shift(1, isForwarded).value_or(CommunicatorLinks::Route());
}

std::optional<CommunicatorLinks::Route> CommunicatorRoutes::shift(std::size_t distance, bool isForwarded, bool isAhead) const {
    using Route = CommunicatorLinks::Route;
    PortFlows flows(m_ports);
    double least = std::numeric_limits<double>::infinity();
    bool isInside = true;
    for (std::size_t m = 0; m < m_members.size(); ++m) {
        const std::size_t after = (m + distance) % m_members.size();
        if (m_members[m].domain == m_members[after].domain && m_members[m].domain != none) continue;
        isInside = false;
        const auto isForwardedAnyway = [&](std::size_t member) { // by others of its domain, as it has no NIC
            return m_layout.isOrphan[member] && m_membersOfDomain[m_members[member].domain] > 1;
        };
        if (!isForwarded && (isForwardedAnyway(m) || isForwardedAnyway(after))) return Route();
        const std::size_t from = isAhead ? m : after, to = isAhead ? after : m;
        if (!isForwarded && !m_onlyPort.empty() && m_onlyPort[from] != none && m_onlyPort[to] != none) { // as hop(), and as usual
            const auto out = m_onlyPort[from], in = m_onlyPort[to];
            if (network(out) != network(in)) return Route();
            flows.add(out, in, 1);
            least = std::min({least, m_ports[out].capacity, m_ports[in].capacity});
            continue;
        }
        const std::vector<Flow> own = hop(from, to, isForwarded);
        double speed = 0;
        for (const Flow& flow : own) speed += flow.rate;
        for (const Flow& flow : own) // all ranks send the same: a fast pair waits for a slow one
            if (flow.rate > 0) flows.add(flow.out, flow.in, flow.rate / speed);
        least = std::min(least, speed);
    }
    if (isInside) return {};
    if (flows.isEmpty() || least <= 0) return Route();
    const RoutedLoad routed = flows.route(*m_router, false);
    if (!routed.connected) return Route();
    const double busiest = std::max(1 / least, flows.busiest()); // seconds for a bit of each
    return Route{Bandwidth(1 / std::max(busiest, routed.worst)), limitOf(routed, busiest)};
}

std::optional<CommunicatorLinks::Route> CommunicatorRoutes::balancedNext(const CommunicatorLinks::Route& known) const {
    constexpr double rounding = 1e-12;
    if (known.speed.value() <= 0) return {};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> hops; // domains of ranks and of those that follow
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t m = 0; m < m_members.size(); ++m) {
        const auto from = m_members[m].domain, to = m_members[(m + 1) % m_members.size()].domain;
        if (from == none || to == none || firstOf(from) == none || firstOf(to) == none) return {};
        if (from == to) continue;
        hops.emplace_back(from, to);
        for (const auto domain : {from, to}) least = std::min(least, m_speedOfDomain[domain] / m_membersOfDomain[domain]);
    }
    if (hops.empty() || known.speed.value() >= least * (1 - rounding)) return {};
    std::sort(hops.begin(), hops.end());
    PortFlows flows(m_ports);
    for (std::size_t first = 0, end = 0; first < hops.size(); first = end) {
        while (end < hops.size() && hops[end] == hops[first]) ++end;
        const PortPairs between = lanes(hops[first].first, hops[first].second);
        const auto speedOf = [&](const auto& lane) { return std::min(m_ports[lane.first].capacity, m_ports[lane.second].capacity); };
        double all = 0;
        for (const auto& lane : between) all += speedOf(lane);
        if (all <= 0) return {};
        for (const auto& lane : between) flows.add(lane.first, lane.second, static_cast<double>(end - first) * speedOf(lane) / all);
    }
    const RoutedLoad routed = flows.route(*m_router, false);
    if (!routed.connected) return {};
    const double busiest = std::max(1 / least, flows.busiest());
    return CommunicatorLinks::Route{Bandwidth(1 / std::max(busiest, routed.worst)), limitOf(routed, busiest)};
}

// A root without a NIC takes part through those of its domain.
std::vector<std::uint32_t> CommunicatorRoutes::portsOfRoot(bool isForwarded) const {
    const CommunicatorMember& root = m_members.front();
    if (const auto own = m_ofGpu.find(root.gpu); !isForwarded && own != m_ofGpu.end() && !m_layout.isOrphan.front()) return own->second;
    std::vector<std::uint32_t> ports;
    if (firstOf(root.domain) == none) return ports;
    for (std::uint32_t p = firstOf(root.domain); p < endOf(root.domain); ++p) ports.push_back(p);
    return ports;
}

// Over the port of the root's domain on the same rail, else over all those that the network leads to, by their speed.
void CommunicatorRoutes::findPathsToRoot(std::uint32_t port, const std::vector<std::uint32_t>& ofRoot, bool isForwarded,
                                         std::vector<std::pair<std::uint32_t, double>>& shares) const {
    shares.clear();
    if (isForwarded)
        if (const auto in = keyed(m_members.front().domain, m_ports[port].key); in != none && network(in) == network(port))
            return shares.assign(1, {in, 1.0});
    double all = 0;
    for (const auto in : ofRoot) {
        if (network(in) != network(port)) continue;
        shares.emplace_back(in, m_ports[in].capacity);
        all += m_ports[in].capacity;
    }
    for (auto& [in, share] : shares) share /= all;
}

std::vector<CommunicatorRoutes::Flow> CommunicatorRoutes::rootFlows(bool isForwarded, bool isToRoot) const {
    const std::vector<std::uint32_t> ofRoot = portsOfRoot(isForwarded);
    std::vector<bool> isReached(m_graph.networks);
    for (const auto p : ofRoot) isReached[network(p)] = true;
    const auto rootDomain = m_members.front().domain;
    const double outside = static_cast<double>(m_members.size()) -
                           static_cast<double>(std::count_if(m_members.begin(), m_members.end(),
                                                             [&](const CommunicatorMember& m) { return m.domain == rootDomain; }));
    std::vector<Flow> flows;
    std::vector<std::pair<std::uint32_t, double>> candidates;
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
            findPathsToRoot(p, ofRoot, isForwarded, candidates);
            for (const auto& [in, share] : candidates) {
                const double rate = m_ports[p].gpus * all / reached / outside * share;
                flows.push_back(isToRoot ? Flow{p, in, rate} : Flow{in, p, rate});
            }
        }
    }
    return flows;
}

CommunicatorLinks::Route CommunicatorRoutes::root(bool isForwarded, bool isToRoot) const {
    PortFlows flows(m_ports);
    for (const Flow& flow : rootFlows(isForwarded, isToRoot)) flows.add(flow.out, flow.in, flow.rate);
    if (flows.isEmpty()) return {};
    const RoutedLoad routed = flows.route(*m_router, false);
    if (!routed.connected) return {};
    double speed = 1 / std::max(flows.busiest(), routed.worst);
    if (!isForwarded && m_layout.isOrphan.front()) speed = std::min(speed, m_layout.nicOfGpu.front()); // it has no more of its domain's
    return {Bandwidth(speed), limitOf(routed, flows.busiest())};
}

// From every port of another domain to all ports of the root's domain in the same network, both by their speed.
std::vector<CommunicatorRoutes::Flow> CommunicatorRoutes::balancedRootFlows(bool isToRoot) const {
    const auto rootDomain = m_members.front().domain;
    std::map<std::uint32_t, DomainSpeeds> byDomain;
    for (const CommunicatorMember& member : m_members) byDomain[member.domain].gpus += 1;
    for (const CommunicatorPort& port : m_ports) byDomain[port.domain].networks[m_graph.network[port.node]] += port.capacity;
    const NetworkSpeeds ofRoot = byDomain[rootDomain].networks;
    const double outside = static_cast<double>(m_members.size()) - byDomain[rootDomain].gpus;
    byDomain.erase(rootDomain);
    std::vector<DomainSpeeds> domains;
    for (const auto& [domain, speeds] : byDomain) domains.push_back(speeds);
    const auto shares = balancedShares(domains, ofRoot);
    std::vector<Flow> flows;
    if (!shares) return flows;
    std::size_t d = 0;
    for (const auto& [domain, speeds] : byDomain) {
        for (std::uint32_t p = firstOf(domain); p < endOf(domain); ++p) {
            const auto over = network(p);
            if (!ofRoot.count(over)) continue;
            const double sent = speeds.gpus / outside * (*shares)[d].at(over) * m_ports[p].capacity / speeds.networks.at(over);
            for (std::uint32_t in = firstOf(rootDomain); sent > 0 && in < endOf(rootDomain); ++in) {
                if (network(in) != over) continue;
                const double rate = sent * m_ports[in].capacity / ofRoot.at(over);
                flows.push_back(isToRoot ? Flow{p, in, rate} : Flow{in, p, rate});
            }
        }
        ++d;
    }
    return flows;
}

std::optional<CommunicatorLinks::Route> CommunicatorRoutes::balancedRoot(const CommunicatorLinks::Route& known, bool isToRoot) const {
    constexpr double rounding = 1e-12;
    const auto rootDomain = m_members.front().domain;
    if (known.speed.value() <= 0 || firstOf(rootDomain) == none) return {};
    std::unordered_map<std::uint32_t, double> gpus, speed; // by domain
    for (const CommunicatorMember& member : m_members) gpus[member.domain] += 1;
    for (const CommunicatorPort& port : m_ports) speed[port.domain] += port.capacity;
    double most = speed[rootDomain]; // as fast as the NICs of every domain allow
    for (const auto& [domain, count] : gpus)
        if (domain != rootDomain) most = std::min(most, speed[domain] * (static_cast<double>(m_members.size()) - gpus[rootDomain]) / count);
    if (known.speed.value() >= most * (1 - rounding)) return {};
    PortFlows flows(m_ports);
    for (const Flow& flow : balancedRootFlows(isToRoot)) flows.add(flow.out, flow.in, flow.rate);
    if (flows.isEmpty()) return {};
    const RoutedLoad routed = flows.route(*m_router, false);
    if (!routed.connected) return {};
    return CommunicatorLinks::Route{Bandwidth(1 / std::max(flows.busiest(), routed.worst)), limitOf(routed, flows.busiest())};
}

Bandwidth CommunicatorRoutes::nicOfRoot() const { return Bandwidth(m_layout.nicOfGpu.front()); }
double CommunicatorRoutes::nicsOfRoot() const { return m_layout.nicsOfGpu.front(); }

double CommunicatorRoutes::nicsOfRootDomain() const {
    std::unordered_map<std::uint32_t, double> nics;
    for (const auto p : portsOfRoot(true)) nics[m_ports[p].nic] = m_ports[p].part;
    double count = 0;
    for (const auto& [nic, part] : nics) count += part;
    return count;
}

Bandwidth CommunicatorRoutes::nicOfRootDomain() const {
    double speed = 0;
    for (const auto p : portsOfRoot(true)) speed += m_ports[p].capacity;
    return Bandwidth(speed);
}

} // namespace railyard
