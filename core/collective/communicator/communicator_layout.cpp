#include "core/collective/communicator/communicator_layout.h"

#include "core/routing/gpus/gpu_ports.h"

#include <algorithm>
#include <map>
#include <set>

namespace railyard {
namespace {

// A GPU whose NIC is gone sends and receives through those of the other members in its domain, evenly. Where none of them has one
// left through all NICs of the domain, but it gets no more of them than if all GPUs of the domain shared them.
void spreadOrphans(const Fabric& fabric, const std::vector<CommunicatorMember>& members, CommunicatorLayout& layout) {
    struct Domain {
        double orphans = 0, gpus = 0; // of all GPUs of the domain
        double fed = 0, ports = 0;    // that members feed; all
        std::set<std::uint32_t> nics;
        double capacity = 0;
        double perOrphan() const { return capacity / gpus; }
    };
    std::map<std::uint32_t, Domain> domains;
    for (std::size_t m = 0; m < members.size(); ++m)
        if (layout.nicOfGpu[m] <= 0 && members[m].domain != none) domains[members[m].domain].orphans += 1;
    if (domains.empty()) return;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.kind[d] == DeviceKind::Gpu)
            if (const auto it = domains.find(fabric.devices.hbDomain[d]); it != domains.end()) it->second.gpus += 1;
    for (const CommunicatorPort& port : layout.ports)
        if (const auto it = domains.find(port.domain); it != domains.end()) {
            it->second.ports += 1;
            it->second.nics.insert(port.nic);
            it->second.fed += port.gpus > 0;
            it->second.capacity += port.capacity;
        }
    std::map<std::uint32_t, double> speeds; // of an orphan, by domain
    for (CommunicatorPort& port : layout.ports)
        if (const auto it = domains.find(port.domain); it != domains.end()) {
            const Domain& domain = it->second;
            const double over = domain.fed > 0 ? domain.fed : domain.ports;
            if (domain.fed > 0 && port.gpus <= 0) continue;
            if (domain.fed <= 0) port.part = std::min(1.0, domain.orphans / domain.gpus);
            port.capacity *= port.part;
            port.gpus += domain.orphans / over;
            speeds[port.domain] += port.capacity / port.gpus / over;
        }
    for (std::size_t m = 0; m < members.size(); ++m)
        if (layout.nicOfGpu[m] <= 0)
            if (const auto it = domains.find(members[m].domain); it != domains.end() && it->second.ports > 0) {
                layout.nicOfGpu[m] = std::min(speeds[members[m].domain], it->second.perOrphan());
                layout.nicsOfGpu[m] = static_cast<double>(it->second.nics.size()) / it->second.gpus;
                layout.isOrphan[m] = true;
            }
}

// Whether any two domains meet in a network: through the NICs of the members, or through all of their NICs.
bool doDomainsMeet(const SwitchGraph& graph, const CommunicatorLayout& layout, bool ofMembers) {
    std::map<std::uint32_t, NetworkSet> ofDomain;
    for (const std::uint32_t domain : layout.domains) ofDomain[domain];
    for (const CommunicatorPort& port : layout.ports)
        if (!ofMembers || port.gpus > 0) ofDomain[port.domain].insert(graph.network[port.node]);
    std::set<NetworkSet> sets;
    for (const auto& each : ofDomain) sets.insert(each.second);
    return doAnyTwoMeet(sets);
}

// Where the NICs of the members of two domains share no network, as on separate rails after a failure, all members send through all NICs of
// their domains, each with its share of them.
void shareAllNics(const SwitchGraph& graph, CommunicatorLayout& layout) {
    if (layout.domains.size() < 2 || std::count(layout.domains.begin(), layout.domains.end(), std::uint32_t{none}) > 0) return;
    if (doDomainsMeet(graph, layout, true) || !doDomainsMeet(graph, layout, false)) return;
    std::fill(layout.nicOfGpu.begin(), layout.nicOfGpu.end(), 0.0);
    std::fill(layout.nicsOfGpu.begin(), layout.nicsOfGpu.end(), 0.0);
    for (CommunicatorPort& port : layout.ports) port.gpus = 0;
}

// Planes: any two GPUs reach a network together, some more than one. Rails are no planes: a GPU has one network, its
// neighbour another.
bool anyTwoShareANetwork(const Fabric& fabric, const SwitchGraph& graph, const std::vector<CommunicatorMember>& members,
                         const std::vector<std::uint32_t>& memberOf) {
    if (graph.networks < 2) return false;
    std::vector<std::vector<std::uint32_t>> ofNic(fabric.devices.size()), ofMember(members.size());
    for (const auto& host : graph.hosts) ofNic[host.nic].push_back(graph.network[host.node]);
    for (const LinkId l : fabric.links.ids()) {
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

} // namespace

std::vector<CommunicatorMember> membersOf(const Fabric& fabric, RankOrder order) {
    std::vector<CommunicatorMember> members;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.kind[d] == DeviceKind::Gpu) members.push_back({d, fabric.devices.hbDomain[d]});
    if (order == RankOrder::Far) { // neighbours in the ring come from different SUs wherever possible
        std::map<std::uint32_t, std::uint32_t> seen, turn;
        for (const CommunicatorMember& m : members)
            if (turn.try_emplace(m.domain, seen[fabric.devices.su[m.gpu]]).second) ++seen[fabric.devices.su[m.gpu]];
        std::stable_sort(members.begin(), members.end(),
                         [&](const CommunicatorMember& a, const CommunicatorMember& b) { return turn[a.domain] < turn[b.domain]; });
    }
    return members;
}

CommunicatorLayout layOut(const Fabric& fabric, const SwitchGraph& graph, const std::vector<CommunicatorMember>& members) {
    CommunicatorLayout layout;
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
    for (const LinkId l : links.ids()) {
        if (links.tier[l] == LinkTier::Pcie && memberOf[links.a[l]] != none) users[links.b[l]] += 1;
    }
    const NicKeys keys(fabric);
    std::vector<double> speedOfNic(fabric.devices.size());
    for (const auto& host : graph.hosts) {
        const auto domain = fabric.devices.hbDomain[host.nic];
        if (domain == none || turnOf(domain) == none) continue;
        speedOfNic[host.nic] += host.capacity.value();
        layout.ports.push_back({host.node, domain, keys.of(host), host.capacity.value(), 0, host.nic, 1, host.link});
    }
    const auto isBefore = [&](const CommunicatorPort& a, const CommunicatorPort& b) {
        return std::pair(turnOf(a.domain), a.key) < std::pair(turnOf(b.domain), b.key);
    };
    if (!std::is_sorted(layout.ports.begin(), layout.ports.end(), isBefore))
        std::stable_sort(layout.ports.begin(), layout.ports.end(), isBefore);
    layout.nicOfGpu.resize(members.size());
    layout.nicsOfGpu.resize(members.size());
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Pcie && memberOf[links.a[l]] != none)
            layout.nicOfGpu[memberOf[links.a[l]]] += speedOfNic[links.b[l]] / users[links.b[l]],
                layout.nicsOfGpu[memberOf[links.a[l]]] += speedOfNic[links.b[l]] > 0 ? 1 / users[links.b[l]] : 0;
    std::vector<double> gpusPerBit(fabric.devices.size()); // a GPU divides its traffic among its ports by their speed
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Pcie && memberOf[links.a[l]] != none && layout.nicOfGpu[memberOf[links.a[l]]] > 0)
            gpusPerBit[links.b[l]] += 1 / users[links.b[l]] / layout.nicOfGpu[memberOf[links.a[l]]];
    for (CommunicatorPort& port : layout.ports) port.gpus = port.capacity * gpusPerBit[port.nic];
    layout.isOrphan.resize(members.size());
    shareAllNics(graph, layout);
    spreadOrphans(fabric, members, layout);
    // A NIC that no member feeds is not the group's.
    std::erase_if(layout.ports, [](const CommunicatorPort& port) { return port.gpus <= 0; });
    for (const CommunicatorPort& port : layout.ports)
        if (users[port.nic] == 0 && (layout.borrowers.empty() || layout.borrowers.back() != port.domain))
            layout.borrowers.push_back(port.domain);
    layout.planes = anyTwoShareANetwork(fabric, graph, members, memberOf);
    return layout;
}

} // namespace railyard
