#include "core/reliability/operation.h"

#include "core/fabric/rack_systems.h"
#include "core/reliability/joint_loss.h"
#include "core/reliability/optical_losses.h"
#include "core/reliability/power_feeds.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

namespace railyard {
namespace {

using Effect = Operation::Effect;

class OperationBuilder {
public:
    OperationBuilder(const Fabric& fabric, const JobPlace& place, const ReliabilityRequest& request)
        : m_fabric(fabric),
          m_request(request),
          m_rates(ratesOf(*fabric.design, request)),
          m_serverOf(fabric.devices.size(), none) {
        takeServers(place);
        // Of all servers that may work for the job, so that standbys fail too.
        m_parts = jobPartsOf(fabric, m_gpus, request.policy);
        addServerParts();
        addNetwork();
    }
    Operation take() {
        for (auto& [key, kind] : m_kinds)
            if (kind.units > 0 && kind.perYear > 0) m_operation.kinds.push_back(std::move(kind));
        return std::move(m_operation);
    }

private:
    // A GPU outside of servers is its own server.
    std::uint32_t unitOf(DeviceId gpu) const {
        const ServerId server = m_fabric.devices.server[gpu];
        return server != none ? std::uint32_t{server} : static_cast<std::uint32_t>(m_fabric.servers.size()) + std::uint32_t{gpu};
    }
    void takeServers(const JobPlace& place) {
        std::vector<bool> isOfJob(m_fabric.devices.size()), isStandby(m_fabric.servers.size());
        for (const DeviceId gpu : place.gpus) isOfJob[gpu] = true;
        for (const ServerId server : place.standbys) isStandby[server] = true;
        std::vector<bool> holdsJob(m_fabric.hbDomains.size());
        std::map<std::uint32_t, bool> works; // server: it has GPUs of the job
        for (const DeviceId gpu : place.gpus) {
            works[unitOf(gpu)] = true;
            if (m_fabric.devices.hbDomain[gpu] != none) holdsJob[m_fabric.devices.hbDomain[gpu]] = true;
        }
        std::map<std::uint32_t, std::uint32_t> number, groupOfDomain;
        for (const DeviceId d : m_fabric.devices.ids()) {
            if (!m_fabric.devices.isGpu(d)) continue;
            const DomainId domain = m_fabric.devices.hbDomain[d];
            const ServerId server = m_fabric.devices.server[d];
            const bool isIdleBeside = domain != none && holdsJob[domain]; // replaces a server of its HB domain in place
            const std::uint32_t own = unitOf(d);
            const bool isWorking = works.contains(own);
            if (!isWorking && !isIdleBeside && (server == none || !isStandby[server])) continue;
            if (isWorking && !isOfJob[d]) continue; // an idle GPU of a server that the job uses in part
            m_gpus.push_back(d);
            const auto [found, isFresh] = number.try_emplace(own, static_cast<std::uint32_t>(m_operation.groupOf.size()));
            m_serverOf[d] = found->second;
            if (!isFresh) continue;
            const std::uint32_t key = domain != none ? std::uint32_t{domain} : static_cast<std::uint32_t>(m_fabric.hbDomains.size()) + own;
            const auto group = groupOfDomain.try_emplace(key, static_cast<std::uint32_t>(m_operation.groups.size()));
            if (group.second) m_operation.groups.emplace_back();
            Operation::Group& of = m_operation.groups[group.first->second];
            of.servers.push_back(found->second);
            of.needed += isWorking ? 1 : 0;
            m_operation.groupOf.push_back(group.first->second);
        }
        // NICs stand in servers.
        std::map<std::uint32_t, std::uint32_t> byServer = number;
        for (const DeviceId d : m_fabric.devices.ids())
            if (const ServerId server = m_fabric.devices.server[d]; server != none && m_fabric.devices.isNic(d))
                if (const auto own = byServer.find(std::uint32_t{server}); own != byServer.end()) m_serverOf[d] = own->second;
    }

    void add(PartKind kind, const std::string& part, Effect effect, const std::vector<std::uint32_t>& servers) {
        const auto [found, isFresh] = m_kinds.try_emplace({kind, part, effect});
        Operation::Kind& own = found->second;
        if (isFresh) {
            own.kind = kind;
            own.perYear = m_rates.of(kind, part).base.value_or(0) * m_request.earlyLife;
            own.effect = effect;
            const bool isLink = kind == PartKind::HostLink || kind == PartKind::Link;
            const bool isFeed = kind == PartKind::PowerFeed,
                       isSwitch = (kind >= PartKind::Leaf && kind <= PartKind::Core) || kind == PartKind::Ocs;
            own.repair = isLink ? m_request.repairLink : isSwitch || isFeed ? m_request.repairSwitch : m_request.repairServer;
            own.isReplaced = kind != PartKind::Software && !isFeed;
            own.isOfServer = kind == PartKind::Gpu || kind == PartKind::Nic || kind == PartKind::Server || kind == PartKind::Tray;
        }
        ++own.units;
        own.serversOf.insert(own.serversOf.end(), servers.begin(), servers.end());
        own.first.push_back(static_cast<std::uint32_t>(own.serversOf.size()));
    }
    std::string partOf(DeviceId device) const { return m_fabric.partIds[m_fabric.devices.part[device]]; }

    void addServerParts() {
        for (const DeviceId gpu : m_gpus) add(PartKind::Gpu, partOf(gpu), Effect::Servers, {m_serverOf[gpu]});
        std::map<std::uint32_t, ServerId> servers;
        for (const DeviceId gpu : m_gpus)
            if (m_fabric.devices.server[gpu] != none) servers.emplace(m_serverOf[gpu], m_fabric.devices.server[gpu]);
        for (const auto& [own, server] : servers) {
            const bool isTray = rackSystemOf(m_fabric, server) != nullptr;
            add(isTray ? PartKind::Tray : PartKind::Server, m_fabric.partIds[m_fabric.serverParts[server]], Effect::Servers, {own});
            if (m_request.isSoftware || m_rates.knows(PartKind::Software)) add(PartKind::Software, {}, Effect::Interrupts, {own});
        }
        for (const FailureComponent& row : componentsOf(m_fabric, m_parts, m_rates, m_request.policy, false, nullptr))
            if (row.kind == PartKind::NvlinkSwitchTray && row.rate.base)
                for (const Operation::Group& group : m_operation.groups)
                    for (std::int64_t tray = 0; tray < row.count / static_cast<std::int64_t>(m_operation.groups.size()); ++tray)
                        add(row.kind, row.part, Effect::Servers, group.servers);
    }
    void addNetwork() {
        const bool isStrict = m_request.policy == FailurePolicy::Strict;
        const Effect otherwise = m_request.isStalled() ? Effect::Interrupts : Effect::Stalls;
        const SwitchGraph& graph = m_parts.graph;
        for (const DeviceId nic : m_parts.nics)
            add(PartKind::Nic, partOf(nic), m_parts.devices[nic] == PartUse::Interrupts ? Effect::Servers : Effect::Stalls,
                {m_serverOf[nic]});
        By<NodeId, std::vector<std::uint32_t>> below(graph.device.size()); // servers that lose their only path with the switch
        std::map<std::uint32_t, std::vector<NodeId>> nodesOf;              // of a NIC, or of an HB domain that forwards
        std::map<std::uint32_t, std::vector<std::uint32_t>> serversOf;
        for (const SwitchGraph::Host& host : graph.hosts) {
            if (m_parts.devices[host.nic] == PartUse::None || m_serverOf[host.nic] == none) continue;
            const DomainId domain = m_fabric.devices.hbDomain[host.nic];
            const std::uint32_t own = isStrict || domain == none
                                          ? std::uint32_t{host.nic}
                                          : static_cast<std::uint32_t>(m_fabric.devices.size()) + std::uint32_t{domain};
            nodesOf[own].push_back(host.node);
            serversOf[own].push_back(m_serverOf[host.nic]);
            add(PartKind::HostLink, {}, m_parts.links[host.link] == PartUse::Interrupts ? Effect::Servers : otherwise,
                {m_serverOf[host.nic]});
            if (m_request.flapsPerLink > 0) addFlap();
        }
        for (auto& [own, nodes] : nodesOf)
            if (std::adjacent_find(nodes.begin(), nodes.end(), std::not_equal_to<>()) == nodes.end())
                below[nodes.front()].insert(below[nodes.front()].end(), serversOf[own].begin(), serversOf[own].end());
        for (const NodeId node : graph.nodes()) {
            const DeviceId device = graph.device[node];
            if (device == none || m_parts.devices[device] == PartUse::None) continue;
            std::vector<std::uint32_t>& servers = below[node];
            std::sort(servers.begin(), servers.end());
            servers.erase(std::unique(servers.begin(), servers.end()), servers.end());
            const bool interrupts = m_parts.devices[device] == PartUse::Interrupts;
            const PartKind kind = kindOfTier(graph.tier[node]);
            add(kind, partOf(device), !interrupts ? otherwise : servers.empty() ? Effect::Blocks : Effect::Servers, servers);
        }
        if (m_rates.knows(PartKind::PowerFeed)) addFeeds();
        addOpticalSwitches(otherwise);
        for (const LinkId l : m_fabric.links.ids()) {
            if (m_parts.links[l] == PartUse::None || m_fabric.links.tier[l] == LinkTier::HostLeaf) continue;
            add(PartKind::Link, {}, m_parts.links[l] == PartUse::Interrupts ? Effect::Blocks : otherwise, {});
            if (m_request.flapsPerLink > 0) addFlap();
        }
    }
    void addFeeds() {
        for (const RowFeed& feed : rowFeedsOf(m_fabric)) {
            const JointLoss loss = lossOf({feed.devices, {}}, m_fabric, m_parts, m_request.policy);
            addJoint(PartKind::PowerFeed, {}, loss, Effect::Stalls);
        }
    }
    void addOpticalSwitches(Effect otherwise) {
        const OpticalLosses losses(m_fabric, m_parts, m_request.policy);
        for (std::size_t s = 0; s < losses.switches().links.size(); ++s)
            if (losses.isUsed(s)) addJoint(PartKind::Ocs, losses.switches().part->id, losses.of(s), otherwise);
    }
    void addJoint(PartKind kind, const std::string& part, const JointLoss& loss, Effect otherwise) {
        std::vector<std::uint32_t> servers;
        for (const DeviceId gpu : loss.gpus) servers.push_back(m_serverOf[gpu]);
        std::sort(servers.begin(), servers.end());
        servers.erase(std::unique(servers.begin(), servers.end()), servers.end());
        add(kind, part, !servers.empty() ? Effect::Servers : loss.dividesJob ? Effect::Blocks : otherwise, servers);
    }
    // Up again after seconds, so that nothing is repaired.
    void addFlap() {
        Operation::Kind& own = m_kinds[{PartKind::Link, "flap", Effect::Stalls}];
        own.kind = PartKind::Link;
        own.perYear = m_request.flapsPerLink;
        own.isReplaced = false;
        ++own.units;
        own.first.push_back(0);
    }

    const Fabric& m_fabric;
    const ReliabilityRequest& m_request;
    const Rates m_rates;
    By<DeviceId, std::uint32_t> m_serverOf; // number in the operation, of GPUs and NICs
    std::vector<DeviceId> m_gpus;
    JobParts m_parts;
    Operation m_operation;
    std::map<std::tuple<PartKind, std::string, Effect>, Operation::Kind> m_kinds;
};

} // namespace

Operation operationOf(const Fabric& fabric, const JobPlace& place, const ReliabilityRequest& request) {
    return OperationBuilder(fabric, place, request).take();
}

} // namespace railyard
