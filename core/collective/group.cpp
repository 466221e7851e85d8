// What the fabric offers a group: rings, direct pairs, pairs along rails, each routed once.
#include "core/collective/hb_speeds.h"

#include "core/routing/traffic.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace railyard {
namespace {

struct Member {
    std::uint32_t gpu = 0, domain = 0;
};

struct NicPort {
    std::uint32_t node = 0, domain = 0, key = 0; // key: position of the NIC port in its domain
    double capacity = 0;
    double gpus = 0; // group members that use it, each by the share of its traffic that goes here
    std::uint32_t nic = 0;
};

std::vector<Member> membersOf(const Fabric& fabric, RankOrder order) {
    std::vector<Member> members;
    for (std::uint32_t d = 0; d < fabric.devices.size(); ++d)
        if (fabric.devices.kind[d] == DeviceKind::Gpu) members.push_back({d, fabric.devices.hbDomain[d]});
    if (order == RankOrder::Far) { // neighbours in the ring come from different SUs wherever possible
        std::map<std::uint32_t, std::uint32_t> seen, turn;
        for (const Member& m : members)
            if (turn.try_emplace(m.domain, seen[fabric.devices.su[m.gpu]]).second) ++seen[fabric.devices.su[m.gpu]];
        std::stable_sort(members.begin(), members.end(), [&](const Member& a, const Member& b) { return turn[a.domain] < turn[b.domain]; });
    }
    return members;
}

struct Layout {
    std::vector<std::uint32_t> domains; // in ring order
    std::vector<NicPort> ports;         // in ring order of their domains
    std::vector<double> nicOfGpu;       // bit/s of every member
    bool planes = false;                // any two members reach a network together, out of several
};

// A GPU whose NIC is gone sends and receives through the other NICs of its domain, evenly.
void spreadOrphans(const std::vector<Member>& members, Layout& layout) {
    std::map<std::uint32_t, std::pair<double, double>> domains; // GPUs without a NIC; NIC ports
    for (std::size_t m = 0; m < members.size(); ++m)
        if (layout.nicOfGpu[m] <= 0) domains[members[m].domain].first += 1;
    for (const NicPort& port : layout.ports)
        if (const auto it = domains.find(port.domain); it != domains.end()) it->second.second += 1;
    for (NicPort& port : layout.ports)
        if (const auto it = domains.find(port.domain); it != domains.end()) port.gpus += it->second.first / it->second.second;
}

// Planes: any two GPUs reach a network together, some more than one. Rails are no planes: a GPU has one network, its
// neighbour another.
bool anyTwoShareANetwork(const Fabric& fabric, const SwitchGraph& graph, const std::vector<Member>& members,
                         const std::vector<std::uint32_t>& memberOf) {
    if (graph.networks < 2) return false;
    std::vector<std::vector<std::uint32_t>> ofNic(fabric.devices.size()), ofMember(members.size());
    for (const auto& host : graph.hosts) ofNic[host.nic].push_back(graph.network[host.node]);
    for (std::size_t l = 0; l < fabric.links.size(); ++l) {
        if (fabric.links.tier[l] != LinkTier::Pcie || memberOf[fabric.links.a[l]] == none) continue;
        auto& own = ofMember[memberOf[fabric.links.a[l]]];
        own.insert(own.end(), ofNic[fabric.links.b[l]].begin(), ofNic[fabric.links.b[l]].end());
    }
    std::set<std::vector<std::uint32_t>> kinds;
    for (auto& own : ofMember) {
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        kinds.insert(own);
        if (kinds.size() > 64) return false; // as many as rails: no planes
    }
    for (const auto& x : kinds)
        for (const auto& y : kinds)
            if (std::find_first_of(x.begin(), x.end(), y.begin(), y.end()) == x.end()) return false;
    return true;
}

// NIC ports of the group's domains and the members that feed them.
Layout layOut(const Fabric& fabric, const SwitchGraph& graph, const std::vector<Member>& members) {
    Layout layout;
    std::vector<std::uint32_t> turn(fabric.hbDomains.size() + 1, none); // the last for GPUs in no domain
    const auto turnOf = [&](std::uint32_t domain) -> std::uint32_t& { return turn[std::min<std::size_t>(domain, turn.size() - 1)]; };
    std::vector<std::uint32_t> memberOf(fabric.devices.size(), none);
    for (std::uint32_t m = 0; m < members.size(); ++m) {
        if (turnOf(members[m].domain) == none) {
            turnOf(members[m].domain) = static_cast<std::uint32_t>(layout.domains.size());
            layout.domains.push_back(members[m].domain);
        }
        memberOf[members[m].gpu] = m;
    }
    std::vector<double> users(fabric.devices.size());
    const LinkTable& links = fabric.links;
    for (std::size_t l = 0; l < links.size(); ++l) {
        if (links.tier[l] == LinkTier::Pcie) users[links.b[l]] += 1;
    }
    std::vector<double> speedOfNic(fabric.devices.size());
    for (const auto& host : graph.hosts) {
        const std::uint32_t domain = fabric.devices.hbDomain[host.nic];
        if (domain == none || turnOf(domain) == none) continue;
        speedOfNic[host.nic] += host.capacity.value();
        const std::uint32_t position = fabric.devices.index[host.nic] + 4096U * (host.port - 1);
        // In a domain of several servers the same NIC index occurs once a server.
        const std::uint32_t server =
            fabric.devices.server[host.nic] == none ? 0 : fabric.scopes[fabric.servers[fabric.devices.server[host.nic]]].index;
        const bool several =
            fabric.hbDomains[domain] != fabric.servers[fabric.devices.server[host.nic] == none ? 0 : fabric.devices.server[host.nic]];
        layout.ports.push_back({host.node, domain, position + (several ? server * 65536U : 0U), host.capacity.value(), 0, host.nic});
    }
    std::stable_sort(layout.ports.begin(), layout.ports.end(),
                     [&](const NicPort& a, const NicPort& b) { return turnOf(a.domain) < turnOf(b.domain); });
    layout.nicOfGpu.resize(members.size());
    for (std::size_t l = 0; l < links.size(); ++l)
        if (links.tier[l] == LinkTier::Pcie && memberOf[links.a[l]] != none)
            layout.nicOfGpu[memberOf[links.a[l]]] += speedOfNic[links.b[l]] / users[links.b[l]];
    std::vector<double> gpusPerBit(fabric.devices.size()); // a GPU divides its traffic among its ports by their speed
    for (std::size_t l = 0; l < links.size(); ++l)
        if (links.tier[l] == LinkTier::Pcie && memberOf[links.a[l]] != none && layout.nicOfGpu[memberOf[links.a[l]]] > 0)
            gpusPerBit[links.b[l]] += 1 / users[links.b[l]] / layout.nicOfGpu[memberOf[links.a[l]]];
    for (NicPort& port : layout.ports) port.gpus = port.capacity * gpusPerBit[port.nic];
    spreadOrphans(members, layout);
    // A NIC that no member feeds is not the group's.
    std::erase_if(layout.ports, [](const NicPort& port) { return port.gpus <= 0; });
    layout.planes = anyTwoShareANetwork(fabric, graph, members, memberOf);
    return layout;
}

// From every domain to the next over the rails that both have; the slowest hop decides. Within a domain the HB fabric
// moves data between its NICs.
Bandwidth ringBandwidth(const SwitchGraph& graph, const Layout& layout, std::string& bottleneck) {
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
        const NicPort& port = layout.ports[p];
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

// Between two domains all x*x pairs go along the rails (or planes); the share of one of them over the product of its
// port weights. Exact between whole domains and between a whole one and one that lost ports; two that both lost the same
// plane count up to twice.
double pairsBehindAKey(const Traffic& traffic) {
    double most = 0;
    std::vector<std::pair<std::uint32_t, double>> keys; // of one domain: weight by key
    for (std::size_t first = 0, end = 0; first < traffic.units.size(); first = end) {
        keys.clear();
        for (; end < traffic.units.size() && traffic.units[end].domain == traffic.units[first].domain; ++end)
            keys.emplace_back(traffic.units[end].key, traffic.units[end].weight);
        std::sort(keys.begin(), keys.end());
        double sum = 0, squares = 0;
        for (std::size_t k = 0; k < keys.size();) {
            double weight = 0;
            for (const std::uint32_t key = keys[k].first; k < keys.size() && keys[k].first == key; ++k) weight += keys[k].second;
            sum += weight;
            squares += weight * weight;
        }
        if (squares > 0) most = std::max(most, sum * sum / squares);
    }
    return most;
}

Traffic pairsTraffic(const SwitchGraph& graph, const Layout& layout, bool alongRails) {
    Traffic traffic;
    for (const NicPort& port : layout.ports)
        traffic.units.push_back({port.node, port.domain, alongRails ? port.key : layout.planes ? graph.network[port.node] : 0, port.gpus});
    return traffic;
}

void countMembers(const std::vector<Member>& members, const Layout& layout, GroupLinks& links) {
    links.ranks = static_cast<std::int64_t>(members.size());
    links.domains = static_cast<std::int64_t>(layout.domains.size());
    std::unordered_map<std::uint32_t, std::int64_t> sizes;
    for (const Member& m : members) ++sizes[m.domain];
    const auto [smallest, largest] = std::minmax_element(sizes.begin(), sizes.end(), [](auto& a, auto& b) { return a.second < b.second; });
    links.smallest = smallest->second;
    links.ofRoot = sizes[members.front().domain];
    links.largest = largest->second;
}

void findSpeeds(const Layout& layout, GroupLinks& links) {
    double nicLeast = std::numeric_limits<double>::infinity(), domainLeast = nicLeast;
    for (const double speed : layout.nicOfGpu)
        if (speed > 0) nicLeast = std::min(nicLeast, speed);
    std::unordered_map<std::uint32_t, double> ofDomain;
    for (const std::uint32_t domain : layout.domains) ofDomain[domain] = 0;
    for (const NicPort& port : layout.ports) ofDomain[port.domain] += port.capacity;
    for (const auto& [domain, speed] : ofDomain) domainLeast = std::min(domainLeast, speed);
    links.nicOfGpu = Bandwidth(layout.ports.empty() ? 0 : nicLeast);
    links.nicOfDomain = Bandwidth(domainLeast);
}

void findExchanges(const SwitchGraph& graph, const Layout& layout, GroupLinks& links) {
    links.ring = ringBandwidth(graph, layout, links.ringBottleneck);
    double busiest = 0; // GPUs for each bit/s of the busiest NIC port
    for (const NicPort& port : layout.ports) busiest = std::max(busiest, port.gpus / port.capacity);
    const bool hasNics = links.nicOfDomain.value() > 0;
    for (const bool alongRails : {false, true}) {
        const Traffic traffic = pairsTraffic(graph, layout, alongRails);
        const RoutedLoad routed = routeTraffic(graph, traffic);
        GroupLinks::Exchange& exchange = alongRails ? links.forwarded : links.direct;
        exchange.isPossible = routed.connected && hasNics;
        exchange.switchLoad = routed.worst * pairsBehindAKey(traffic);
        exchange.bottleneck = routed.bottleneck;
        // Forwarded, a NIC carries what all GPUs of its domain send to the GPUs behind the same NIC elsewhere: as much.
        exchange.nicLoad = static_cast<double>(links.ranks - links.smallest) * busiest;
    }
    links.direct.whyNot = !hasNics ? "an HB domain has no working NIC"
                                   : "no switch path joins some pairs of GPUs: the rails are separate, traffic has to be forwarded (pxn)";
    const bool hbForwards = links.largest == 1 || links.hb.exchange.value() > 0;
    links.forwarded.isPossible = links.forwarded.isPossible && links.ring.value() > 0 && hbForwards;
    links.forwarded.whyNot = !hasNics      ? "an HB domain has no working NIC"
                             : !hbForwards ? "the GPUs of a domain share no HB fabric"
                                           : "a rail is torn apart";
}

// Every rank to the next where that is in another domain: over the ports of both, or forwarded over the port of the sender's
// domain that is on the receiver's rail. What the slowest gets, with all at once.
class NextRanks {
public:
    NextRanks(const Fabric& fabric, const SwitchGraph& graph, const Layout& layout, const std::vector<Member>& members)
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

    Bandwidth slowest(const std::vector<Member>& members, bool isForwarded, std::string& bottleneck) const {
        Traffic traffic;
        traffic.kind = Traffic::Kind::Ring;
        std::vector<double> sent(m_ports.size());
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t m = 0; m < members.size(); ++m) {
            const Member &from = members[m], &to = next(members, m);
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
    static const Member& next(const std::vector<Member>& members, std::size_t at) { return members[(at + 1) % members.size()]; }
    static bool leaves(const Member& from, const Member& to) { return from.domain != to.domain || from.domain == none; }
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
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(const Member& from, const Member& to, bool isForwarded) const {
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
    const std::vector<NicPort>& m_ports;
    std::vector<double> m_users; // by NIC: GPUs
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_ofGpu;
    std::vector<std::uint32_t> m_firstOfDomain; // port; those of a domain follow each other
};

void findNext(const Fabric& fabric, const SwitchGraph& graph, const Layout& layout, const std::vector<Member>& members, GroupLinks& links) {
    const NextRanks ranks(fabric, graph, layout, members);
    for (const bool isForwarded : {false, true}) {
        GroupLinks::Next& next = isForwarded ? links.nextForwarded : links.next;
        next.speed = ranks.slowest(members, isForwarded, next.bottleneck);
        if (next.speed.value() <= 0) next = {links.nicOfGpu, "nic"};
    }
}

// The library of the vendor of all these GPUs; of several generations the slowest counts.
void findLibrary(const Fabric& fabric, const std::vector<std::uint32_t>& gpus, const Calibration& calibration, GroupLinks& links) {
    links.whyNotNvls = "the library of these GPUs publishes no constants for it";
    std::set<std::uint32_t> parts;
    for (const std::uint32_t gpu : gpus) parts.insert(fabric.devices.part[gpu]);
    bool allReduce = true;
    for (const std::uint32_t index : parts) {
        const std::string id = index == none ? std::string() : fabric.partIds[index];
        const Part* part = fabric.design->catalog->find(id);
        const auto library = calibration.libraryOf(part ? part->vendor : std::string());
        if (!library || (links.library && links.library != library)) return links.library.reset(), links.nvlsShare.reset();
        const GpuGeneration& generation = library->generationOf(id);
        if (!links.library || generation.hbShare.base < links.hbShare.base) links.hbShare = generation.hbShare;
        links.llMost = links.library ? std::min(links.llMost, generation.llMost) : generation.llMost;
        links.library = library;
        allReduce = allReduce && generation.nvlsShare;
        if (generation.nvlsShare && (!links.nvlsShare || generation.nvlsShare->base < links.nvlsShare->base))
            links.nvlsShare = generation.nvlsShare;
    }
    std::vector<bool> meets(fabric.devices.size()), isCabled(fabric.devices.size()); // HB switches; GPUs
    for (std::size_t l = 0; l < fabric.links.size(); ++l) {
        if (fabric.links.tier[l] != LinkTier::Hb) continue;
        if (fabric.devices.kind[fabric.links.b[l]] == DeviceKind::HbSwitch)
            meets[fabric.links.a[l]] = true;
        else
            isCabled[fabric.links.a[l]] = isCabled[fabric.links.b[l]] = true;
    }
    const bool allSwitched = std::all_of(gpus.begin(), gpus.end(), [&](std::uint32_t gpu) { return meets[gpu] && !isCabled[gpu]; });
    if (allReduce && allSwitched && links.smallest > 1) return;
    links.nvlsShare.reset();
    links.whyNotNvls = !allReduce           ? "the HB switches of these GPUs do not reduce, or nobody says so"
                       : links.smallest < 2 ? "a GPU is alone in its HB domain"
                                            : "no HB switches join the GPUs of a domain";
}

} // namespace

std::vector<std::uint32_t> gpusInOrder(const Fabric& fabric, RankOrder order) {
    std::vector<std::uint32_t> gpus;
    for (const Member& member : membersOf(fabric, order)) gpus.push_back(member.gpu);
    return gpus;
}

Result<CollectiveGroup> CollectiveGroup::of(const Fabric& fabric, std::int64_t ranks, RankOrder order, const Calibration& calibration) {
    const std::int64_t gpus = countsOf(fabric).gpus;
    if (gpus == 0) return Error::unbuildable("the design has no GPUs; add servers first");
    if (ranks > gpus) return Error::usage(fmt::format("--ranks {}: the design has {} GPUs; that is the most", ranks, gpus));
    std::vector<std::uint32_t> chosen = gpusInOrder(fabric, order);
    if (ranks > 0) chosen.resize(static_cast<std::size_t>(ranks));
    return of(fabric, chosen, calibration);
}

Result<CollectiveGroup> CollectiveGroup::of(const Fabric& fabric, const std::vector<std::uint32_t>& gpus, const Calibration& calibration) {
    if (gpus.empty()) return Error::usage("a collective needs at least one GPU; the group is empty");
    std::vector<Member> members;
    for (const std::uint32_t gpu : gpus) members.push_back({gpu, fabric.devices.hbDomain[gpu]});
    const SwitchGraph graph = switchGraphOf(fabric);
    const Layout layout = layOut(fabric, graph, members);
    CollectiveGroup group;
    GroupLinks& links = group.m_links;
    countMembers(members, layout, links);
    findLibrary(fabric, gpus, calibration, links);
    findSpeeds(layout, links);
    links.hb = hbBandwidthsOf(fabric, graph, gpus);
    if (links.domains > 1) {
        findExchanges(graph, layout, links);
        findNext(fabric, graph, layout, members, links);
    }
    return group;
}

} // namespace railyard
