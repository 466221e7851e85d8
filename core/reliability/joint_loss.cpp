#include "core/reliability/joint_loss.h"

#include "core/base/disjoint_sets.h"

#include <map>
#include <set>

namespace railyard {
namespace {

// NICs, or with the tolerant policy HB domains, and the switches that they still reach.
class LossFinder {
public:
    LossFinder(const FailedTogether& failed, const Fabric& fabric, const JobParts& parts, FailurePolicy policy)
        : m_fabric(fabric),
          m_parts(parts),
          m_isTolerant(policy == FailurePolicy::Tolerant),
          m_isFailed(fabric.devices.size()),
          m_isLinkFailed(fabric.links.size()) {
        for (const DeviceId d : failed.devices) m_isFailed[d] = true;
        for (const LinkId l : failed.links) m_isLinkFailed[l] = true;
    }
    JointLoss find() {
        findCutOff();
        JointLoss loss;
        By<ServerId, bool> isLost(m_fabric.servers.size());
        for (const DeviceId gpu : m_parts.gpus) {
            if (!isLostGpu(gpu)) continue;
            if (const ServerId server = m_parts.serverOf[gpu]; server != none) isLost[server] = true;
        }
        for (const DeviceId gpu : m_parts.gpus) // a server leaves the job as a whole
            if (const ServerId server = m_parts.serverOf[gpu]; server != none ? isLost[server] : isLostGpu(gpu)) loss.gpus.push_back(gpu);
        for (const ServerId server : m_parts.servers)
            if (isLost[server]) loss.servers.push_back(server);
        loss.dividesJob = dividesRest(isLost);
        return loss;
    }

private:
    std::uint32_t terminalOf(DeviceId device) const {
        const DomainId domain = m_fabric.devices.hbDomain[device];
        return m_isTolerant && domain != none ? static_cast<std::uint32_t>(m_fabric.devices.size()) + std::uint32_t{domain}
                                              : std::uint32_t{device};
    }
    bool isUp(const SwitchGraph::Host& host) const { return !hasFailed(host.node) && !m_isFailed[host.nic] && !m_isLinkFailed[host.link]; }
    bool hasFailed(NodeId node) const { return m_parts.graph.device[node] != none && m_isFailed[m_parts.graph.device[node]]; }
    void findCutOff() {
        By<DomainId, bool> holdsJob(m_fabric.hbDomains.size());
        for (const DeviceId nic : m_parts.nics)
            if (const DomainId domain = m_fabric.devices.hbDomain[nic]; domain != none) holdsJob[domain] = m_isTolerant;
        for (const SwitchGraph::Host& host : m_parts.graph.hosts) {
            const DomainId domain = m_fabric.devices.hbDomain[host.nic];
            const bool forwards = domain != none && holdsJob[domain]; // also over NICs of GPUs that are not of the job
            if (m_parts.devices[host.nic] == PartUse::None && !forwards) continue;
            bool& reaches = m_reaches.try_emplace(terminalOf(host.nic), false).first->second;
            reaches = reaches || isUp(host);
        }
        m_isCutOff.assign(m_fabric.devices.size(), false);
        for (const LinkId l : m_fabric.links.ids()) {
            if (m_fabric.links.tier[l] != LinkTier::Pcie) continue;
            for (const auto& [gpu, nic] :
                 {std::pair(m_fabric.links.a[l], m_fabric.links.b[l]), {m_fabric.links.b[l], m_fabric.links.a[l]}}) {
                if (!m_fabric.devices.isGpu(gpu) || !m_fabric.devices.isNic(nic)) continue;
                const auto own = m_reaches.find(terminalOf(nic));
                if (own != m_reaches.end() && !own->second) m_isCutOff[gpu] = true;
            }
        }
        if (!m_isTolerant) return;
        for (const DeviceId gpu : m_parts.gpus) { // those without a NIC leave over the NICs of their HB domain
            const DomainId domain = m_fabric.devices.hbDomain[gpu];
            const auto own = domain == none ? m_reaches.end() : m_reaches.find(terminalOf(gpu));
            if (own != m_reaches.end() && !own->second) m_isCutOff[gpu] = true;
        }
    }
    bool isLostGpu(DeviceId gpu) const { return m_isFailed[gpu] || m_isCutOff[gpu]; }
    bool dividesRest(const By<ServerId, bool>& isLost) const {
        const SwitchGraph& graph = m_parts.graph;
        DisjointSets sets(graph.device.size());
        const By<DeviceId, NodeId> nodeOf = nodesOfDevices(m_fabric, graph);
        for (const LinkId l : m_fabric.links.ids()) {
            if (!m_fabric.isNetworkLink(l) || m_isLinkFailed[l]) continue;
            const NodeId lower = nodeOf[m_fabric.links.a[l]], upper = nodeOf[m_fabric.links.b[l]];
            if (lower != none && upper != none && !hasFailed(lower) && !hasFailed(upper)) sets.join(lower, upper);
        }
        std::map<std::uint32_t, std::size_t> rootOf; // by network
        for (const SwitchGraph::Host& host : graph.hosts) {
            const ServerId server = m_parts.serverOf[host.nic];
            if (m_parts.devices[host.nic] == PartUse::None || !isUp(host)) continue;
            if (server != none && isLost[server]) continue;
            const std::size_t root = sets.find(host.node);
            if (rootOf.try_emplace(graph.network[host.node], root).first->second != root) return true;
        }
        return false;
    }

    const Fabric& m_fabric;
    const JobParts& m_parts;
    const bool m_isTolerant;
    By<DeviceId, bool> m_isFailed;
    By<LinkId, bool> m_isLinkFailed;
    By<DeviceId, bool> m_isCutOff;           // GPUs
    std::map<std::uint32_t, bool> m_reaches; // by terminal
};

} // namespace

JointLoss lossOf(const FailedTogether& failed, const Fabric& fabric, const JobParts& parts, FailurePolicy policy) {
    if (failed.devices.empty() && failed.links.empty()) return {};
    if (parts.failed.devices.empty() && parts.failed.links.empty()) return LossFinder(failed, fabric, parts, policy).find();
    FailedTogether all = parts.failed;
    all.devices.insert(all.devices.end(), failed.devices.begin(), failed.devices.end());
    all.links.insert(all.links.end(), failed.links.begin(), failed.links.end());
    JointLoss loss = LossFinder(all, fabric, parts, policy).find();
    const std::set<DeviceId> gpus(parts.lost.gpus.begin(), parts.lost.gpus.end());
    const std::set<ServerId> servers(parts.lost.servers.begin(), parts.lost.servers.end());
    std::erase_if(loss.gpus, [&](DeviceId gpu) { return gpus.contains(gpu); });
    std::erase_if(loss.servers, [&](ServerId server) { return servers.contains(server); });
    loss.dividesJob = loss.dividesJob && !parts.lost.dividesJob;
    return loss;
}

void addFailed(const Fabric& degraded, const Fabric& intact, FailurePolicy policy, JobParts& parts) {
    std::vector<bool> isThere(intact.devices.size());
    for (const DeviceId d : degraded.devices.ids()) isThere[degraded.intactDevice[d]] = true;
    std::set<std::pair<DeviceId, PortId>> ends;
    for (const LinkId l : degraded.links.ids())
        if (degraded.isNetworkLink(l)) ends.emplace(degraded.intactDevice[degraded.links.a[l]], degraded.links.aPort[l]);
    FailedTogether failed;
    for (const DeviceId d : intact.devices.ids())
        if (!isThere[d]) failed.devices.push_back(d);
    for (const LinkId l : intact.links.ids())
        if (intact.isNetworkLink(l) && !ends.contains({intact.links.a[l], intact.links.aPort[l]})) failed.links.push_back(l);
    parts.failed = {};
    parts.lost = lossOf(failed, intact, parts, policy);
    parts.failed = std::move(failed);
}

} // namespace railyard
