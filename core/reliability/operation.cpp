#include "core/reliability/operation.h"

#include "core/fabric/rack_systems.h"
#include "core/reliability/joint_loss.h"
#include "core/reliability/optical_losses.h"
#include "core/reliability/power_feeds.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace railyard {
namespace {

using Effect = Operation::Effect;

class OperationBuilder {
public:
    OperationBuilder(const Fabric& fabric, const JobPlace& place, const ReliabilityRequest& request)
        : m_fabric(fabric.intact ? *fabric.intact : fabric),
          m_request(request),
          m_rates(ratesOf(*fabric.design, request)),
          m_serverOf(m_fabric.devices.size(), none),
          m_ofJob(jobPartsOf(fabric, place, request.policy)) {
        takeServers(place);
        m_parts = jobPartsOf(m_fabric, m_gpus, request.policy);
        if (fabric.intact) addFailed(fabric, m_fabric, request.policy, m_parts);
        takeSurvivors(fabric);
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

    static bool interrupts(PartUse use) { return use == PartUse::Interrupts; }
    // Network links of the intact fabric that are not missing now.
    void takeSurvivors(const Fabric& now) {
        m_survives.assign(m_fabric.links.size(), !now.intact);
        if (!now.intact) return;
        std::set<std::pair<DeviceId, PortId>> ends;
        for (const LinkId l : now.links.ids())
            if (now.isNetworkLink(l)) ends.emplace(now.intactDevice[now.links.a[l]], now.links.aPort[l]);
        for (const LinkId l : m_fabric.links.ids()) m_survives[l] = ends.contains({m_fabric.links.a[l], m_fabric.links.aPort[l]});
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
        if (!m_rates.of(PartKind::NvlinkSwitchTray).base) return;
        std::map<DomainId, std::uint32_t> groupOf;
        for (const DeviceId gpu : m_gpus) groupOf.emplace(m_fabric.devices.hbDomain[gpu], m_operation.groupOf[m_serverOf[gpu]]);
        for (const auto& [domain, trays] : switchTraysOf(m_fabric, m_gpus))
            for (std::int64_t tray = 0; tray < trays; ++tray)
                add(PartKind::NvlinkSwitchTray, {}, Effect::Servers, m_operation.groups[groupOf.at(domain)].servers);
    }
    void addNetwork() {
        const bool isStrict = m_request.policy == FailurePolicy::Strict;
        const Effect otherwise = m_request.isStalled() ? Effect::Interrupts : Effect::Stalls;
        const SwitchGraph& graph = m_parts.graph;
        // What only standbys use can take them down, but neither divides nor stalls the job.
        for (const DeviceId nic : m_parts.nics) {
            const bool takesServer = interrupts(m_ofJob.devices[nic] != PartUse::None ? m_ofJob.devices[nic] : m_parts.devices[nic]);
            if (takesServer || m_ofJob.devices[nic] != PartUse::None)
                add(PartKind::Nic, partOf(nic), takesServer ? Effect::Servers : otherwise, {m_serverOf[nic]});
        }
        By<NodeId, std::vector<std::uint32_t>> below(graph.device.size()); // servers that lose their only path with the switch
        std::map<std::uint32_t, std::vector<NodeId>> nodesOf;              // of a NIC, or of an HB domain that forwards
        std::map<std::uint32_t, std::vector<std::uint32_t>> serversOf;
        const auto ofDomain = [&](DomainId domain) { return static_cast<std::uint32_t>(m_fabric.devices.size()) + std::uint32_t{domain}; };
        for (const SwitchGraph::Host& host : graph.hosts) {
            const DomainId domain = m_fabric.devices.hbDomain[host.nic];
            if (!isStrict && domain != none && m_survives[host.link]) nodesOf[ofDomain(domain)].push_back(host.node); // of any NIC
            if (m_parts.devices[host.nic] == PartUse::None || m_serverOf[host.nic] == none) continue;
            const std::uint32_t own = isStrict || domain == none ? std::uint32_t{host.nic} : ofDomain(domain);
            if (own == std::uint32_t{host.nic} && m_survives[host.link]) nodesOf[own].push_back(host.node);
            serversOf[own].push_back(m_serverOf[host.nic]);
            const PartUse ofJob = m_ofJob.links[host.link];
            const bool takesServer = interrupts(ofJob != PartUse::None ? ofJob : m_parts.links[host.link]);
            if (takesServer || ofJob != PartUse::None)
                add(PartKind::HostLink, {}, takesServer ? Effect::Servers : otherwise, {m_serverOf[host.nic]});
            if (m_request.flapsPerLink > 0 && ofJob != PartUse::None) addFlap(otherwise);
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
            const PartUse ofJob = m_ofJob.devices[device];
            const bool takesServers = !servers.empty() && interrupts(ofJob != PartUse::None ? ofJob : m_parts.devices[device]);
            if (ofJob == PartUse::None && !takesServers) continue;
            add(kindOfTier(graph.tier[node]), partOf(device),
                takesServers        ? Effect::Servers
                : interrupts(ofJob) ? Effect::Blocks
                                    : otherwise,
                servers);
        }
        if (m_rates.knows(PartKind::PowerFeed)) addFeeds(otherwise);
        addOpticalSwitches(otherwise);
        for (const LinkId l : m_fabric.links.ids()) {
            if (m_ofJob.links[l] == PartUse::None || m_fabric.links.tier[l] == LinkTier::HostLeaf) continue;
            add(PartKind::Link, {}, interrupts(m_ofJob.links[l]) ? Effect::Blocks : otherwise, {});
            if (m_request.flapsPerLink > 0) addFlap(otherwise);
        }
    }
    void addFeeds(Effect otherwise) {
        JointLosses losses(m_fabric, m_parts, m_request.policy), ofJob(m_fabric, m_ofJob, m_request.policy);
        for (const RowFeed& feed : rowFeedsOf(m_fabric)) {
            JointLoss loss = losses.of({feed.devices, {}});
            loss.dividesJob = ofJob.of({feed.devices, {}}).dividesJob;
            if (loss.interruptsJob() || usesAnyOf(m_ofJob, feed.devices)) addJoint(PartKind::PowerFeed, {}, loss, otherwise);
        }
    }
    void addOpticalSwitches(Effect otherwise) {
        const OpticalLosses losses(m_fabric, m_parts, m_request.policy), ofJob(m_fabric, m_ofJob, m_request.policy);
        for (std::size_t s = 0; s < losses.switches().links.size(); ++s) {
            if (!losses.isUsed(s)) continue;
            JointLoss loss = losses.of(s);
            if (!ofJob.isUsed(s) && loss.gpus.empty()) continue;
            loss.dividesJob = ofJob.isUsed(s) && ofJob.of(s).dividesJob;
            addJoint(PartKind::Ocs, losses.switches().part->id, loss, otherwise);
        }
    }
    void addJoint(PartKind kind, const std::string& part, const JointLoss& loss, Effect otherwise) {
        std::vector<std::uint32_t> servers;
        for (const DeviceId gpu : loss.gpus) servers.push_back(m_serverOf[gpu]);
        std::sort(servers.begin(), servers.end());
        servers.erase(std::unique(servers.begin(), servers.end()), servers.end());
        add(kind, part, !servers.empty() ? Effect::Servers : loss.dividesJob ? Effect::Blocks : otherwise, servers);
    }
    // Up again after seconds, so that nothing is repaired.
    void addFlap(Effect effect) {
        Operation::Kind& own = m_kinds[{PartKind::Link, "flap", effect}];
        own.kind = PartKind::Link;
        own.effect = effect;
        own.perYear = m_request.flapsPerLink * m_request.earlyLife;
        own.isReplaced = false;
        ++own.units;
        own.first.push_back(0);
    }

    const Fabric& m_fabric;
    const ReliabilityRequest& m_request;
    const Rates m_rates;
    By<DeviceId, std::uint32_t> m_serverOf; // number in the operation, of GPUs and NICs
    std::vector<DeviceId> m_gpus;
    JobParts m_ofJob, m_parts; // with what failures have made the only path; of all servers that may work for the job
    By<LinkId, bool> m_survives;
    Operation m_operation;
    std::map<std::tuple<PartKind, std::string, Effect>, Operation::Kind> m_kinds;
};

} // namespace

Operation operationOf(const Fabric& fabric, const JobPlace& place, const ReliabilityRequest& request) {
    return OperationBuilder(fabric, place, request).take();
}

} // namespace railyard
