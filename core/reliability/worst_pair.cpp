#include "core/reliability/worst_pair.h"

#include "core/bisection/bisection.h"
#include "core/fabric/without.h"
#include "core/reliability/joint_loss.h"
#include "core/reliability/optical_losses.h"
#include "core/reliability/power_feeds.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace railyard {
namespace {

// A server with all in it, a GPU without one, a switch, a power feed, or an optical circuit switch.
struct Failing {
    std::string path;
    std::vector<DeviceId> devices; // of a server: once it is chosen
    std::int64_t gpusLost = 0;
    ServerId server;
    std::vector<LinkId> links = {}; // of an optical circuit switch
    FailedTogether parts() const { return {devices, links}; }
};

class PairFinder {
public:
    PairFinder(const Fabric& fabric, const JobParts& parts) : m_fabric(fabric), m_parts(parts), m_graph(parts.graph) {}

    std::vector<std::pair<Failing, Failing>> candidates() {
        std::vector<std::pair<Failing, Failing>> pairs = largestTwo();
        for (auto& pair : withJoint(pairs)) pairs.push_back(std::move(pair));
        if (auto pair = lastTwoWays()) pairs.push_back(std::move(*pair));
        for (auto& pair : switchesThatShareMost()) pairs.push_back(std::move(pair));
        return pairs;
    }

private:
    Failing switchAt(NodeId node) const {
        const DeviceId device = m_graph.device[node];
        return {m_fabric.devicePath(device), {device}, 0, {}};
    }
    bool isSwitchOfJob(NodeId node) const { return m_graph.device[node] != none && m_parts.devices[m_graph.device[node]] != PartUse::None; }

    // By the GPUs that each takes alone: two servers, or leaves that are the only way out.
    std::vector<std::pair<Failing, Failing>> largestTwo() const {
        std::vector<Failing> all;
        By<ServerId, std::int64_t> ofJob(m_fabric.servers.size());
        for (const DeviceId gpu : m_parts.gpus)
            if (const ServerId server = m_parts.serverOf[gpu]; server != none)
                ++ofJob[server];
            else
                all.push_back({m_fabric.devicePath(gpu), {gpu}, 1, {}});
        for (const ServerId server : m_parts.servers) all.push_back({{}, {}, ofJob[server], server});
        std::map<NodeId, std::int64_t> cutOff;
        for (const auto& [nodes, gpus] : waysOut())
            if (nodes.size() == 1 && isSwitchOfJob(*nodes.begin())) cutOff[*nodes.begin()] += gpus;
        for (const auto& [node, gpus] : cutOff) {
            all.push_back(switchAt(node));
            all.back().gpusLost = gpus;
        }
        if (all.size() < 2) return {};
        std::partial_sort(all.begin(), all.begin() + 2, all.end(),
                          [](const Failing& a, const Failing& b) { return a.gpusLost > b.gpusLost; });
        for (Failing* each : {&all[0], &all[1]}) {
            if (each->server == none) continue;
            Failing whole = serverAt(each->server);
            whole.gpusLost = each->gpusLost;
            *each = std::move(whole);
        }
        std::vector<std::pair<Failing, Failing>> pairs{{all[0], all[1]}};
        // A switch may take the server that would be the second.
        if (all[0].server == none && all[1].server != none)
            if (auto other = serverLeftBy(all[0])) pairs.emplace_back(all[0], std::move(*other));
        return pairs;
    }
    // The largest server of the job that is left when this fails.
    std::optional<Failing> serverLeftBy(const Failing& first) const {
        const JointLoss loss = lossOf(first.parts(), m_fabric, m_parts, FailurePolicy::Tolerant);
        const std::set<DeviceId> lost(loss.gpus.begin(), loss.gpus.end());
        By<ServerId, std::int64_t> left(m_fabric.servers.size());
        for (const DeviceId gpu : m_parts.gpus)
            if (const ServerId server = m_parts.serverOf[gpu]; server != none && !lost.contains(gpu)) ++left[server];
        const auto most = std::max_element(left.begin(), left.end());
        if (most == left.end() || *most == 0) return {};
        return serverAt(ServerId(most - left.begin()));
    }

    // What takes several parts at once: the two that take most, and the worst of them with the largest that it leaves standing.
    std::vector<std::pair<Failing, Failing>> withJoint(const std::vector<std::pair<Failing, Failing>>& others) const {
        std::vector<Failing> joint = feeds();
        std::vector<Failing> optical = opticalSwitches();
        std::vector<std::pair<Failing, Failing>> pairs = neighbours(optical);
        for (Failing& each : optical) joint.push_back(std::move(each));
        std::stable_sort(joint.begin(), joint.end(), [](const Failing& a, const Failing& b) { return a.gpusLost > b.gpusLost; });
        if (joint.size() > 1) pairs.emplace_back(joint[0], joint[1]);
        if (joint.empty()) return pairs;
        for (const auto& [first, second] : others)
            for (const Failing& each : {first, second}) pairs.emplace_back(joint[0], each);
        if (auto server = serverLeftBy(joint[0])) pairs.emplace_back(joint[0], std::move(*server));
        return pairs;
    }
    std::vector<Failing> feeds() const {
        std::vector<Failing> feeds;
        if (!hasSingleFeeds(*m_fabric.design)) return feeds;
        for (const RowFeed& feed : rowFeedsOf(m_fabric))
            if (!feed.devices.empty()) {
                const JointLoss loss = lossOf({feed.devices, {}}, m_fabric, m_parts, FailurePolicy::Tolerant);
                feeds.push_back({"feed=" + feed.name, feed.devices, static_cast<std::int64_t>(loss.gpus.size()), {}});
            }
        return feeds;
    }
    // Those with the most links, the first of equal ones: losses take long to compute, and switches that are as full take as much.
    std::vector<Failing> opticalSwitches() const {
        constexpr std::size_t most = 16;
        const OpticalLosses losses(m_fabric, m_parts, FailurePolicy::Tolerant);
        const auto& links = losses.switches().links;
        std::vector<std::size_t> used;
        for (std::size_t s = 0; s < links.size(); ++s)
            if (losses.isUsed(s)) used.push_back(s);
        std::stable_sort(used.begin(), used.end(), [&](std::size_t a, std::size_t b) { return links[a].size() > links[b].size(); });
        if (used.size() > most) used.resize(most);
        std::vector<Failing> all;
        for (const std::size_t s : used)
            all.push_back({fmt::format("ocs={}", s + 1), {}, static_cast<std::int64_t>(losses.of(s).gpus.size()), {}, links[s]});
        return all;
    }
    // Optical switches among which the links of the same leaves are spread, and which take nothing alone.
    static std::vector<std::pair<Failing, Failing>> neighbours(const std::vector<Failing>& all) {
        constexpr std::size_t most = 8;
        std::vector<std::pair<Failing, Failing>> pairs;
        for (std::size_t s = 0; s + 1 < std::min(all.size(), most); ++s) pairs.emplace_back(all[s], all[s + 1]);
        return pairs;
    }
    Failing serverAt(ServerId server) const {
        Failing failing{m_fabric.scopePath(m_fabric.servers[server]), {}, 0, server};
        for (const DeviceId d : m_fabric.devices.ids())
            if (m_fabric.devices.server[d] == server) failing.devices.push_back(d);
        return failing;
    }

    // GPUs of the job by the switches over which their HB domains leave.
    std::map<std::set<NodeId>, std::int64_t> waysOut() const {
        const auto domainOf = [&](DeviceId device) {
            const DomainId domain = m_fabric.devices.hbDomain[device];
            return domain != none ? std::uint32_t{domain} : static_cast<std::uint32_t>(m_fabric.hbDomains.size()) + std::uint32_t{device};
        };
        std::map<std::uint32_t, std::set<NodeId>> nodesOf; // by domain
        std::map<std::uint32_t, std::int64_t> gpus;
        std::map<DeviceId, std::uint32_t> domainOfNic;
        for (const DeviceId gpu : m_parts.gpus) ++gpus[domainOf(gpu)];
        By<DeviceId, bool> isOfJob(m_fabric.devices.size());
        for (const DeviceId gpu : m_parts.gpus) isOfJob[gpu] = true;
        for (const LinkId l : m_fabric.links.ids()) {
            if (m_fabric.links.tier[l] != LinkTier::Pcie) continue;
            const DeviceId a = m_fabric.links.a[l], b = m_fabric.links.b[l];
            const DeviceId gpu = m_fabric.devices.isGpu(a) ? a : b, nic = gpu == a ? b : a;
            if (isOfJob[gpu]) domainOfNic.try_emplace(nic, domainOf(gpu));
        }
        for (const SwitchGraph::Host& host : m_graph.hosts)
            if (const auto own = domainOfNic.find(host.nic); own != domainOfNic.end()) nodesOf[own->second].insert(host.node);
        std::map<std::set<NodeId>, std::int64_t> ways;
        for (const auto& [domain, nodes] : nodesOf) ways[nodes] += gpus[domain];
        return ways;
    }

    // The two switches that are the only ways out of most GPUs.
    std::optional<std::pair<Failing, Failing>> lastTwoWays() const {
        const auto ways = waysOut();
        std::map<NodeId, std::int64_t> alone;
        for (const auto& [nodes, gpus] : ways)
            if (nodes.size() == 1) alone[*nodes.begin()] += gpus;
        std::int64_t most = 0;
        std::optional<std::pair<NodeId, NodeId>> best;
        for (const auto& [nodes, gpus] : ways) {
            if (nodes.size() != 2 || !isSwitchOfJob(*nodes.begin()) || !isSwitchOfJob(*nodes.rbegin())) continue;
            const auto of = [&](NodeId node) { return alone.contains(node) ? alone.at(node) : 0; };
            if (const std::int64_t lost = gpus + of(*nodes.begin()) + of(*nodes.rbegin()); lost > most)
                most = lost, best = {*nodes.begin(), *nodes.rbegin()};
        }
        return best ? std::optional(std::pair(switchAt(best->first), switchAt(best->second))) : std::nullopt;
    }

    // Of every tier one pair, of the first switch and the one that has most in common with it.
    std::vector<std::pair<Failing, Failing>> switchesThatShareMost() const {
        By<NodeId, std::vector<NodeId>> above(m_graph.device.size()), below(m_graph.device.size());
        for (const SwitchGraph::Edge& edge : m_graph.edges) {
            above[edge.lower].push_back(edge.upper);
            below[edge.upper].push_back(edge.lower);
        }
        std::set<SwitchTier> seen;
        std::vector<std::pair<Failing, Failing>> pairs;
        for (const NodeId node : m_graph.nodes()) {
            if (!isSwitchOfJob(node) || seen.contains(m_graph.tier[node])) continue;
            std::map<NodeId, std::size_t> common;
            const auto count = [&](const auto& near, const auto& back) {
                for (const NodeId each : near[node])
                    for (const NodeId other : back[each])
                        if (other != node && m_graph.tier[other] == m_graph.tier[node] && isSwitchOfJob(other)) ++common[other];
            };
            count(below, above);
            if (common.empty()) count(above, below);
            if (common.empty()) continue;
            const auto most =
                std::max_element(common.begin(), common.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
            pairs.emplace_back(switchAt(node), switchAt(most->first));
            seen.insert(m_graph.tier[node]);
        }
        return pairs;
    }

    const Fabric& m_fabric;
    const JobParts& m_parts;
    const SwitchGraph& m_graph;
};

} // namespace

std::optional<PairFailure> worstPair(const FabricPointer& fabric, const JobParts& parts, FailurePolicy policy, const TaskContext& context) {
    const auto candidates = PairFinder(*fabric, parts).candidates();
    if (candidates.empty()) return {};
    const auto bisectionOf = [](const Fabric& of) { return bisection(of, BisectionKey::Server).upperGbps; };
    const auto found = runTasks<PairFailure>(candidates.size(), context, [&](std::size_t i) {
        const auto& [first, second] = candidates[i];
        FailedTogether both = first.parts();
        both.devices.insert(both.devices.end(), second.devices.begin(), second.devices.end());
        both.links.insert(both.links.end(), second.links.begin(), second.links.end());
        PairFailure pair{{first.path, second.path}, 0, false, {}};
        pair.gpusLost = static_cast<std::int64_t>(lossOf(both, *fabric, parts, FailurePolicy::Tolerant).gpus.size());
        pair.interruptsJob = lossOf(both, *fabric, parts, policy).interruptsJob();
        std::vector<bool> isFailed(fabric->devices.size()), isLinkFailed(fabric->links.size());
        for (const DeviceId d : both.devices) isFailed[d] = true;
        for (const LinkId l : both.links) isLinkFailed[l] = true;
        pair.bandwidthLeft = bisectionOf(*without(fabric, isFailed, isLinkFailed));
        return pair;
    });
    std::optional<PairFailure> worst;
    for (const auto& pair : found)
        if (pair && (!worst || std::pair(-pair->gpusLost, *pair->bandwidthLeft) < std::pair(-worst->gpusLost, *worst->bandwidthLeft)))
            worst = *pair;
    if (!worst) return {};
    const double before = bisectionOf(*fabric);
    worst->bandwidthLeft = before > 0 ? std::optional(*worst->bandwidthLeft / before) : std::nullopt;
    return worst;
}

} // namespace railyard
