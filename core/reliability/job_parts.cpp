#include "core/reliability/job_parts.h"

#include "core/base/disjoint_sets.h"
#include "core/fabric/bgl.h"
#include "core/fabric/rack_systems.h"

#include "core/reliability/joint_loss.h"
#include "core/reliability/optical_losses.h"
#include "core/reliability/power_feeds.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace railyard {
namespace {

// NICs or HB domains of the job with the switches that they are cabled to. Traffic is forwarded over all NICs of a domain, also those of
// GPUs that are not of the job.
struct Terminals {
    std::vector<std::vector<NodeId>> nodes, ways; // of the job's own NICs; of all that it can use
    std::vector<std::int64_t> links;              // how many cables can be used
    std::vector<std::int64_t> nics;
    By<DeviceId, std::uint32_t> of; // of a NIC; none: not of the job
};

Terminals terminalsOf(const Fabric& fabric, const JobParts& parts, FailurePolicy policy) {
    Terminals result;
    result.of.assign(fabric.devices.size(), none);
    By<DeviceId, std::uint32_t> canUse = result.of;
    std::map<DomainId, std::uint32_t> domains;
    for (const DeviceId nic : parts.nics) {
        const DomainId domain = fabric.devices.hbDomain[nic];
        const auto next = static_cast<std::uint32_t>(result.nodes.size());
        const bool isOfDomain = policy == FailurePolicy::Tolerant && domain != none;
        const std::uint32_t own = isOfDomain ? domains.try_emplace(domain, next).first->second : next;
        if (own == next) result.nodes.emplace_back(), result.links.push_back(0), result.nics.push_back(0);
        result.of[nic] = canUse[nic] = own;
    }
    for (const DeviceId d : fabric.devices.ids()) {
        if (!fabric.devices.isNic(d)) continue;
        if (const auto own = domains.find(fabric.devices.hbDomain[d]); own != domains.end()) canUse[d] = own->second;
        if (canUse[d] != none) ++result.nics[canUse[d]];
    }
    result.ways.resize(result.nodes.size());
    for (const SwitchGraph::Host& host : parts.graph.hosts) {
        if (result.of[host.nic] != none) result.nodes[result.of[host.nic]].push_back(host.node);
        if (canUse[host.nic] == none) continue;
        result.ways[canUse[host.nic]].push_back(host.node);
        ++result.links[canUse[host.nic]];
    }
    return result;
}

// A switch is used if NICs of the job hang on it, if it joins parts of the job that nothing in the tiers below joins, or if a part of the
// job reaches such a switch through it.
std::vector<bool> usedNodes(const SwitchGraph& graph, const Terminals& terminals) {
    std::vector<bool> isUsed(graph.device.size());
    DisjointSets sets(graph.device.size());
    for (const auto& nodes : terminals.nodes)
        for (const NodeId node : nodes) isUsed[node] = true;
    std::vector<bool> hasJob = isUsed; // by the root of a set
    std::vector<std::vector<std::uint32_t>> edgesBelow(graph.device.size());
    for (std::uint32_t e = 0; e < graph.edges.size(); ++e) edgesBelow[graph.edges[e].upper].push_back(e);
    constexpr int tiers = 5;
    std::vector<std::vector<NodeId>> ofTier(tiers); // with links to switches below
    for (const NodeId node : graph.nodes())
        if (!edgesBelow[node].empty()) ofTier[static_cast<std::size_t>(graph.tier[node])].push_back(node);
    std::vector<bool> leadsToJob = isUsed; // downwards
    for (const std::vector<NodeId>& own : ofTier) {
        for (const NodeId node : own) {
            std::uint32_t first = none;
            for (const std::uint32_t e : edgesBelow[node]) {
                const auto root = static_cast<std::uint32_t>(sets.find(graph.edges[e].lower));
                if (leadsToJob[graph.edges[e].lower]) leadsToJob[node] = true;
                if (!hasJob[root]) continue;
                if (first == none) first = root;
                if (first != root || isUsed[node]) isUsed[node] = true;
            }
        }
        for (const NodeId node : own)
            for (const std::uint32_t e : edgesBelow[node]) {
                const auto a = sets.find(graph.edges[e].lower), b = sets.find(std::uint32_t{node});
                const bool has = hasJob[a] || hasJob[b] || isUsed[node];
                sets.join(a, b);
                hasJob[sets.find(a)] = has;
            }
    }
    for (auto own = ofTier.rbegin(); own != ofTier.rend(); ++own)
        for (const NodeId node : *own)
            for (const std::uint32_t e : edgesBelow[node])
                if (isUsed[node] && leadsToJob[graph.edges[e].lower]) isUsed[graph.edges[e].lower] = true;
    return isUsed;
}

void markNetwork(const Fabric& fabric, JobParts& parts, FailurePolicy policy) {
    const SwitchGraph& graph = parts.graph;
    const Terminals terminals = terminalsOf(fabric, parts, policy);
    const std::vector<bool> isUsed = usedNodes(graph, terminals);
    const Separations separations = separationsOf(graph, terminals.ways);
    for (const NodeId node : graph.nodes())
        if (isUsed[node] && graph.device[node] != none)
            parts.devices[graph.device[node]] = separations.nodes[node] ? PartUse::Interrupts : PartUse::Used;
    for (const DeviceId nic : parts.nics) {
        const bool isAlone = policy == FailurePolicy::Strict || terminals.nics[terminals.of[nic]] == 1;
        parts.devices[nic] = isAlone ? PartUse::Interrupts : PartUse::Used;
    }
    for (const SwitchGraph::Host& host : graph.hosts)
        if (const std::uint32_t own = terminals.of[host.nic]; own != none)
            parts.links[host.link] = terminals.links[own] == 1 ? PartUse::Interrupts : PartUse::Used;
    By<DeviceId, NodeId> nodeOf = nodesOfDevices(fabric, graph);
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const NodeId a = nodeOf[fabric.links.a[l]], b = nodeOf[fabric.links.b[l]];
        if (a == none || b == none || !isUsed[a] || !isUsed[b]) continue;
        const auto edges = graph.edgesAbove(a);
        const auto edge =
            std::lower_bound(edges.begin(), edges.end(), b, [](const auto& each, NodeId upper) { return each.upper < upper; });
        const bool isOnlyOne =
            edge != edges.end() && edge->upper == b && separations.edges[static_cast<std::size_t>(&*edge - graph.edges.data())];
        parts.links[l] = isOnlyOne ? PartUse::Interrupts : PartUse::Used;
    }
}

class ComponentCounter {
public:
    ComponentCounter(const Fabric& fabric, const JobParts& parts, FailurePolicy policy, bool isStalled)
        : m_fabric(fabric),
          m_parts(parts),
          m_policy(policy),
          m_isStalled(isStalled) {}

    // Most follow one of their own kind.
    void add(PartKind kind, const std::string& part, bool interrupts, std::int64_t count = 1) {
        if (!m_last || std::get<0>(m_last->first) != kind || std::get<1>(m_last->first) == interrupts || std::get<2>(m_last->first) != part)
            m_last = &*m_counts.try_emplace({kind, !interrupts, part}).first;
        m_last->second.all += count;
    }
    // A part of the network that the job uses. A spare path does not help where the library gives up before it is taken.
    void addOfNetwork(PartKind kind, const std::string& part, bool isOnlyPath) {
        add(kind, part, isOnlyPath || m_isStalled);
        if (!isOnlyPath && m_isStalled) ++m_last->second.stalled;
    }
    void addServers() {
        for (const DeviceId gpu : m_parts.gpus) add(PartKind::Gpu, partOf(gpu), true);
        for (const ServerId server : m_parts.servers) {
            const Part* rack = rackSystemOf(m_fabric, server);
            add(rack ? PartKind::Tray : PartKind::Server, m_fabric.partIds[m_fabric.serverParts[server]], true);
        }
        for (const auto& [domain, trays] : switchTraysOf(m_fabric, m_parts.gpus)) add(PartKind::NvlinkSwitchTray, {}, true, trays);
    }
    void addNetwork() {
        for (const DeviceId d : m_fabric.devices.ids()) {
            if (m_parts.devices[d] == PartUse::None || m_fabric.devices.isGpu(d)) continue;
            const PartKind kind = m_fabric.devices.isNic(d) ? PartKind::Nic : kindOfTier(m_fabric.devices.tier[d]);
            addOfNetwork(kind, partOf(d), m_parts.devices[d] == PartUse::Interrupts);
        }
        for (const LinkId l : m_fabric.links.ids()) {
            if (m_parts.links[l] == PartUse::None) continue;
            const bool isHost = m_fabric.links.tier[l] == LinkTier::HostLeaf;
            addOfNetwork(isHost ? PartKind::HostLink : PartKind::Link, {}, m_parts.links[l] == PartUse::Interrupts);
        }
    }
    // Modules of the links that are used.
    void addOptics(const Cabling& cabling) {
        std::vector<CabledLinkId> used;
        for (const CabledLinkId l : cabling.links.ids())
            if (m_parts.links[cabling.links[l]] != PartUse::None) used.push_back(l);
        for (const ModuleCount& module : modulesOf(m_fabric, cabling, used))
            add(PartKind::Optic, module.part ? module.part->id : std::string(), false, module.count);
    }
    std::vector<FailureComponent> rows(const Rates& rates) const {
        std::vector<FailureComponent> rows;
        for (const auto& [key, count] : m_counts) {
            const auto& [kind, isNot, part] = key;
            rows.push_back({kind, part, count.all, !isNot, rates.of(kind, part), reasonOf(kind, !isNot, count)});
        }
        return rows;
    }

private:
    struct Count {
        std::int64_t all = 0, stalled = 0; // of which only because rerouting takes too long
    };
    const std::string& partOf(DeviceId device) const { return m_fabric.partIds[m_fabric.devices.part[device]]; }
    std::string reasonOf(PartKind kind, bool interrupts, const Count& count) const {
        const bool isStrict = m_policy == FailurePolicy::Strict;
        if (count.stalled > 0)
            return count.stalled == count.all ? "rerouting exceeds the library time-out"
                                              : "no other path, or rerouting exceeds the library time-out";
        switch (kind) {
        case PartKind::Gpu: return "its server leaves the job";
        case PartKind::Server:
        case PartKind::Tray: return "its GPUs are lost";
        case PartKind::NvlinkSwitchTray: return "every GPU of its rack loses HB links";
        case PartKind::Software: return "the job stops";
        case PartKind::Ocs: return interrupts ? "all its fibres go dark" : "other paths remain";
        case PartKind::PowerFeed: return interrupts ? "racks with one feed go dark" : "other feeds or paths remain";
        case PartKind::Optic: return "counted with its link";
        case PartKind::Nic:
            return interrupts ? (isStrict ? "its GPUs lose a NIC" : "the only NIC of its HB domain") : "HB forwarding continues";
        default: break;
        }
        if (!interrupts)
            return kind == PartKind::HostLink || kind == PartKind::Leaf
                       ? (isStrict ? "the NIC has another path" : "HB forwarding continues")
                       : "other paths remain";
        if (kind == PartKind::HostLink) return isStrict ? "the only path of its NIC" : "the only path of its HB domain";
        if (kind == PartKind::Leaf) return isStrict ? "NICs lose their only path" : "HB domains lose their only path";
        return "partitions the job";
    }

    const Fabric& m_fabric;
    const JobParts& m_parts;
    const FailurePolicy m_policy;
    const bool m_isStalled;
    using Key = std::tuple<PartKind, bool, std::string>; // kind, does not interrupt, part
    std::map<Key, Count> m_counts;
    std::pair<const Key, Count>* m_last = nullptr;
};

} // namespace

std::map<DomainId, std::int64_t> switchTraysOf(const Fabric& fabric, const std::vector<DeviceId>& gpus) {
    By<DomainId, std::int64_t> hbSwitches(fabric.hbDomains.size());
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.isHbSwitch(d) && fabric.devices.hbDomain[d] != none) ++hbSwitches[fabric.devices.hbDomain[d]];
    std::map<DomainId, std::int64_t> trays;
    for (const DeviceId gpu : gpus) {
        const ServerId server = fabric.devices.server[gpu];
        const DomainId domain = fabric.devices.hbDomain[gpu];
        const Part* rack = server == none || domain == none ? nullptr : rackSystemOf(fabric, server);
        if (!rack || trays.contains(domain)) continue;
        const int each = std::max(1, rack->as<RackPart>()->system->switchesPerTray);
        trays[domain] = (hbSwitches[domain] + each - 1) / each;
    }
    return trays;
}

bool usesAnyOf(const JobParts& parts, const std::vector<DeviceId>& devices) {
    return std::any_of(devices.begin(), devices.end(), [&](DeviceId device) { return parts.devices[device] != PartUse::None; });
}

PartKind kindOfTier(SwitchTier tier) {
    switch (tier) {
    case SwitchTier::Spine: return PartKind::Spine;
    case SwitchTier::Superspine: return PartKind::Superspine;
    case SwitchTier::Core: return PartKind::Core;
    default: return PartKind::Leaf;
    }
}

std::optional<double> FailureComponent::expected(double hours) const {
    return rate.base ? std::optional(*rate.base * static_cast<double>(count) * hours / 8760) : std::nullopt;
}

JobParts jobPartsOf(const Fabric& fabric, std::vector<DeviceId> gpus, FailurePolicy policy) {
    JobParts parts;
    parts.gpus = std::move(gpus);
    parts.devices.assign(fabric.devices.size(), PartUse::None);
    parts.links.assign(fabric.links.size(), PartUse::None);
    parts.serverOf = fabric.devices.server;
    std::vector<bool> isServer(fabric.servers.size()), isDomain(fabric.hbDomains.size());
    for (const DeviceId gpu : parts.gpus) {
        parts.devices[gpu] = PartUse::Interrupts;
        if (const ServerId server = parts.serverOf[gpu]; server != none) isServer[server] = true;
        if (const DomainId domain = fabric.devices.hbDomain[gpu]; domain != none) isDomain[domain] = true;
    }
    for (const ServerId server : indices<ServerId>(isServer.size()))
        if (isServer[server]) parts.servers.push_back(server);
    for (const DomainId domain : indices<DomainId>(isDomain.size()))
        if (isDomain[domain]) parts.domains.push_back(domain);
    const LinkTable& links = fabric.links;
    for (const LinkId l : links.ids()) {
        if (links.tier[l] != LinkTier::Pcie) continue;
        const DeviceId a = links.a[l], b = links.b[l];
        const DeviceId gpu = fabric.devices.isGpu(a) ? a : b, nic = gpu == a ? b : a;
        if (!fabric.devices.isGpu(gpu) || !fabric.devices.isNic(nic) || parts.devices[gpu] == PartUse::None) continue;
        if (parts.devices[nic] == PartUse::None) parts.nics.push_back(nic);
        parts.devices[nic] = PartUse::Used;
    }
    std::sort(parts.nics.begin(), parts.nics.end());
    parts.graph = trafficGraphOf(fabric);
    markNetwork(fabric, parts, policy);
    return parts;
}

std::vector<FailureComponent> componentsOf(const Fabric& fabric, const JobParts& parts, const Rates& rates, FailurePolicy policy,
                                           bool isStalled, const Cabling* cabling) {
    ComponentCounter counter(fabric, parts, policy, isStalled);
    counter.addServers();
    counter.addNetwork();
    if (cabling) counter.addOptics(*cabling);
    if (rates.knows(PartKind::PowerFeed)) {
        JointLosses losses(fabric, parts, policy);
        for (const RowFeed& feed : rowFeedsOf(fabric)) {
            const bool isOnlyPath = losses.of({feed.devices, {}}).interruptsJob();
            if (isOnlyPath || usesAnyOf(parts, feed.devices))
                counter.addOfNetwork(PartKind::PowerFeed, {}, isOnlyPath);
            else
                counter.add(PartKind::PowerFeed, {}, false);
        }
    }
    const OpticalLosses losses(fabric, parts, policy);
    for (std::size_t s = 0; s < losses.switches().links.size(); ++s) {
        const auto& links = losses.switches().links[s];
        const bool isOnlyPath = std::any_of(links.begin(), links.end(), [&](LinkId l) { return parts.links[l] == PartUse::Interrupts; });
        if (losses.isUsed(s)) counter.addOfNetwork(PartKind::Ocs, losses.switches().part->id, isOnlyPath || losses.of(s).interruptsJob());
    }
    if (rates.knows(PartKind::Software)) counter.add(PartKind::Software, {}, true, static_cast<std::int64_t>(parts.servers.size()));
    std::vector<FailureComponent> rows = counter.rows(rates);
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.interruptsJob > b.interruptsJob; });
    return rows;
}

std::vector<FailureComponent> byKind(const std::vector<FailureComponent>& components) {
    std::vector<FailureComponent> rows;
    for (const FailureComponent& each : components) {
        const auto same = std::find_if(rows.begin(), rows.end(), [&](const FailureComponent& row) {
            return row.kind == each.kind && row.interruptsJob == each.interruptsJob && row.rate.low == each.rate.low &&
                   row.rate.base == each.rate.base && row.rate.high == each.rate.high;
        });
        if (same == rows.end())
            rows.push_back(each);
        else
            same->count += each.count, same->part.clear();
    }
    return rows;
}

} // namespace railyard
