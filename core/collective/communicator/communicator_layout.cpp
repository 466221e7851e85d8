#include "core/collective/communicator/communicator_layout.h"

#include "core/routing/gpus/gpu_ports.h"

#include <algorithm>
#include <map>
#include <set>

namespace railyard {
namespace {

// A GPU whose NIC is gone sends and receives through those of the other members in its domain, evenly. Where none of them has one
// left through all NICs of the domain, but it gets no more of them than if all GPUs of the domain shared them.
void spreadOrphans(const FabricIndex& index, const std::vector<CommunicatorMember>& members, CommunicatorLayout& layout) {
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
    for (auto& [domain, of] : domains) of.gpus = index.gpusOfDomain[domain];
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
bool anyTwoShareANetwork(const SwitchGraph& graph, const FabricIndex& index, const std::vector<CommunicatorMember>& members) {
    if (graph.networks < 2) return false;
    std::set<std::vector<std::uint32_t>> kinds;
    for (const CommunicatorMember& member : members) {
        std::vector<std::uint32_t> own;
        for (const DeviceId nic : index.nicsOfGpu.list(member.gpu))
            for (const std::uint32_t host : index.hostsOfNic.list(nic)) own.push_back(graph.network[graph.hosts[host].node]);
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
        if (fabric.devices.isGpu(d)) members.push_back({d, fabric.devices.hbDomain[d]});
    if (order == RankOrder::Far) { // neighbours in the ring come from different SUs wherever possible
        std::map<std::uint32_t, std::uint32_t> seen, turn;
        for (const CommunicatorMember& m : members)
            if (turn.try_emplace(m.domain, seen[fabric.devices.su[m.gpu]]).second) ++seen[fabric.devices.su[m.gpu]];
        std::stable_sort(members.begin(), members.end(),
                         [&](const CommunicatorMember& a, const CommunicatorMember& b) { return turn[a.domain] < turn[b.domain]; });
    }
    return members;
}

CommunicatorLayout layOut(const Fabric& fabric, const SwitchGraph& graph, const FabricIndex& index,
                          const std::vector<CommunicatorMember>& members) {
    CommunicatorLayout layout;
    std::vector<bool> isSeen(fabric.hbDomains.size() + 1); // the last for GPUs in no domain
    std::vector<double> users(fabric.devices.size());
    for (const CommunicatorMember& member : members) {
        const std::size_t at = std::min<std::size_t>(member.domain, fabric.hbDomains.size());
        if (!isSeen[at]) layout.domains.push_back(member.domain);
        isSeen[at] = true;
        for (const DeviceId nic : index.nicsOfGpu.list(member.gpu)) users[nic] += 1;
    }
    std::vector<double> speedOfNic(fabric.devices.size());
    for (const std::uint32_t domain : layout.domains) {
        if (domain == none) continue;
        const auto first = static_cast<std::ptrdiff_t>(layout.ports.size());
        for (const std::uint32_t h : index.hostsOfDomain.list(domain)) {
            const SwitchGraph::Host& host = graph.hosts[h];
            speedOfNic[host.nic] += host.capacity.value();
            layout.ports.push_back({host.node, domain, index.keyOfHost[h], host.capacity.value(), 0, host.nic, 1, host.link});
        }
        std::stable_sort(layout.ports.begin() + first, layout.ports.end(),
                         [](const CommunicatorPort& a, const CommunicatorPort& b) { return a.key < b.key; });
    }
    layout.nicOfGpu.resize(members.size());
    layout.nicsOfGpu.resize(members.size());
    std::vector<double> gpusPerBit(fabric.devices.size()); // a GPU divides its traffic among its ports by their speed
    for (std::size_t m = 0; m < members.size(); ++m) {
        const auto nics = index.nicsOfGpu.list(members[m].gpu);
        for (const DeviceId nic : nics) {
            layout.nicOfGpu[m] += speedOfNic[nic] / users[nic];
            layout.nicsOfGpu[m] += speedOfNic[nic] > 0 ? 1 / users[nic] : 0;
        }
        for (const DeviceId nic : nics)
            if (layout.nicOfGpu[m] > 0) gpusPerBit[nic] += 1 / users[nic] / layout.nicOfGpu[m];
    }
    for (CommunicatorPort& port : layout.ports) port.gpus = port.capacity * gpusPerBit[port.nic];
    layout.isOrphan.resize(members.size());
    shareAllNics(graph, layout);
    spreadOrphans(index, members, layout);
    // A NIC that no member feeds is not the group's.
    std::erase_if(layout.ports, [](const CommunicatorPort& port) { return port.gpus <= 0; });
    for (const CommunicatorPort& port : layout.ports)
        if (users[port.nic] == 0 && (layout.borrowers.empty() || layout.borrowers.back() != port.domain))
            layout.borrowers.push_back(port.domain);
    layout.planes = anyTwoShareANetwork(graph, index, members);
    return layout;
}

} // namespace railyard
