#include "core/collective/group_routes.h"

#include "core/routing/traffic.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

namespace railyard {
namespace {

// Every rank to the next where that is in another domain: over the ports of both, or forwarded over the port of the sender's
// domain that is on the receiver's rail. What the slowest gets, with all at once.
class NextRanks {
public:
    NextRanks(const Fabric& fabric, const SwitchGraph& graph, const GroupLayout& layout, const std::vector<GroupMember>& members)
        : m_graph(graph),
          m_ports(layout.ports),
          m_users(fabric.devices.size()),
          m_firstOfDomain(fabric.hbDomains.size() + 1, none) {
        std::vector<bool> isAsked(fabric.devices.size()); // GPUs at the end or the start of a domain: few
        for (std::size_t m = 0; m < members.size(); ++m)
            if (leaves(members[m], next(members, m))) isAsked[members[m].gpu] = isAsked[next(members, m).gpu] = true;
        for (std::uint32_t p = static_cast<std::uint32_t>(m_ports.size()); p-- > 0;) m_firstOfDomain[m_ports[p].domain] = p;
        for (std::size_t l = 0; l < fabric.links.size(); ++l) {
            const std::uint32_t gpu = fabric.links.a[l], nic = fabric.links.b[l];
            if (fabric.links.tier[l] != LinkTier::Pcie) continue;
            m_users[nic] += 1;
            if (!isAsked[gpu]) continue;
            const std::uint32_t domain = fabric.devices.hbDomain[nic];
            if (domain == none) continue;
            for (std::uint32_t p = m_firstOfDomain[domain]; p < m_ports.size() && m_ports[p].domain == domain; ++p)
                if (m_ports[p].nic == nic) m_ofGpu[gpu].push_back(p);
        }
    }

    Bandwidth slowest(const std::vector<GroupMember>& members, bool isForwarded, std::string& bottleneck) const {
        Traffic traffic;
        traffic.kind = Traffic::Kind::Ring;
        std::vector<double> sent(m_ports.size());
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t m = 0; m < members.size(); ++m) {
            const GroupMember &from = members[m], &to = next(members, m);
            if (!leaves(from, to)) continue;
            double speed = 0;
            for (const auto& [out, in] : pairs(from, to, isForwarded)) {
                const double weight = std::min(shareOf(out), shareOf(in));
                const auto unit = static_cast<std::uint32_t>(traffic.units.size());
                traffic.units.push_back({m_ports[out].node, unit, 0, weight});
                traffic.units.push_back({m_ports[in].node, unit + 1, 0, 0});
                traffic.next.insert(traffic.next.end(), {unit + 1, none});
                sent[out] += weight;
                speed += weight;
            }
            if (speed > 0) least = std::min(least, speed); // a GPU without a port: its domain's carry it
        }
        if (traffic.units.empty()) return Bandwidth();
        const RoutedLoad routed = routeTraffic(m_graph, traffic);
        double busiest = 1;
        for (std::size_t p = 0; p < sent.size(); ++p) busiest = std::max(busiest, sent[p] / m_ports[p].capacity);
        bottleneck = routed.worst > busiest * (1 + 1e-9) ? routed.bottleneck : "nic";
        return Bandwidth(least / std::max(busiest, routed.worst));
    }

private:
    static const GroupMember& next(const std::vector<GroupMember>& members, std::size_t at) { return members[(at + 1) % members.size()]; }
    static bool leaves(const GroupMember& from, const GroupMember& to) { return from.domain != to.domain || from.domain == none; }
    // The port of a domain with this key.
    std::uint32_t keyed(std::uint32_t domain, std::uint32_t key) const {
        if (domain == none) return none;
        for (std::uint32_t p = m_firstOfDomain[domain]; p < m_ports.size() && m_ports[p].domain == domain; ++p)
            if (m_ports[p].key == key) return p;
        return none;
    }
    double shareOf(std::uint32_t port) const { return m_ports[port].capacity / m_users[m_ports[port].nic]; }
    const std::vector<std::uint32_t>& portsOf(std::uint32_t gpu) const {
        static const std::vector<std::uint32_t> nothing;
        const auto own = m_ofGpu.find(gpu);
        return own == m_ofGpu.end() ? nothing : own->second;
    }
    // Ports in one network, each once.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(const GroupMember& from, const GroupMember& to, bool isForwarded) const {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
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
    std::uint32_t network(std::uint32_t port) const { return m_graph.network[m_ports[port].node]; }

    const SwitchGraph& m_graph;
    const std::vector<GroupPort>& m_ports;
    std::vector<double> m_users; // by NIC: GPUs
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_ofGpu;
    std::vector<std::uint32_t> m_firstOfDomain; // port; those of a domain follow each other
};

} // namespace

// From every domain to the next over the rails that both have; the slowest hop decides. Within a domain the HB fabric
// moves data between its NICs.
Bandwidth ringBandwidth(const SwitchGraph& graph, const GroupLayout& layout, std::string& bottleneck) {
    Traffic traffic;
    traffic.kind = Traffic::Kind::Ring;
    // Ports by domain and key, and the domain after each; domains in no order, as they are asked for by number.
    using Keyed = std::pair<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;
    std::vector<Keyed> at;
    for (std::uint32_t p = 0; p < layout.ports.size(); ++p) at.push_back({{layout.ports[p].domain, layout.ports[p].key}, p});
    if (!std::is_sorted(at.begin(), at.end())) std::sort(at.begin(), at.end());
    std::unordered_map<std::uint32_t, std::uint32_t> nextDomain;
    for (std::size_t i = 0; i < layout.domains.size(); ++i) nextDomain[layout.domains[i]] = layout.domains[(i + 1) % layout.domains.size()];
    traffic.next.assign(layout.ports.size(), none);
    for (std::uint32_t p = 0; p < layout.ports.size(); ++p) {
        const GroupPort& port = layout.ports[p];
        const std::pair wanted(nextDomain[port.domain], port.key);
        const auto there = std::lower_bound(at.begin(), at.end(), Keyed{wanted, 0});
        const bool joined =
            there != at.end() && there->first == wanted && graph.network[layout.ports[there->second].node] == graph.network[port.node];
        traffic.units.push_back(
            {port.node, port.domain, port.key, joined ? std::min(port.capacity, layout.ports[there->second].capacity) : 0});
        if (joined) traffic.next[p] = there->second;
    }
    const RoutedLoad routed = routeTraffic(graph, traffic);
    bottleneck = routed.worst > 1 + 1e-9 ? routed.bottleneck : "nic";
    std::unordered_map<std::uint32_t, double> hops;
    for (const std::uint32_t domain : layout.domains) hops[domain] = 0;
    for (std::uint32_t p = 0; p < layout.ports.size(); ++p)
        if (traffic.next[p] != none)
            hops[layout.ports[p].domain] +=
                traffic.units[p].weight / std::max(1.0, routed.worstOfTarget[layout.ports[traffic.next[p]].node]);
    double slowest = std::numeric_limits<double>::infinity();
    for (const auto& [domain, speed] : hops) slowest = std::min(slowest, speed);
    return Bandwidth(slowest);
}

void findNext(const Fabric& fabric, const SwitchGraph& graph, const GroupLayout& layout, const std::vector<GroupMember>& members,
              GroupLinks& links) {
    const NextRanks ranks(fabric, graph, layout, members);
    for (const bool isForwarded : {false, true}) {
        GroupLinks::Next& next = isForwarded ? links.nextForwarded : links.next;
        next.speed = ranks.slowest(members, isForwarded, next.bottleneck);
        if (next.speed.value() <= 0) next = {links.nicOfGpu, "nic"};
    }
}

} // namespace railyard
