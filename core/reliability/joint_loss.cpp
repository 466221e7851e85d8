#include "core/reliability/joint_loss.h"

#include "core/base/disjoint_sets.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>

namespace railyard {
namespace {

// Union-find that can take joins back, and counts the sets that hold something of the job.
class SetsOfJob {
public:
    explicit SetsOfJob(std::vector<std::uint32_t> ofJob) : m_ofJob(std::move(ofJob)), m_parent(m_ofJob.size()), m_size(m_ofJob.size(), 1) {
        std::iota(m_parent.begin(), m_parent.end(), 0U);
        m_count = static_cast<std::size_t>(std::count_if(m_ofJob.begin(), m_ofJob.end(), [](std::uint32_t own) { return own > 0; }));
    }
    std::size_t count() const { return m_count; } // of sets with something of the job
    std::size_t joins() const { return m_joined.size(); }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a), b = find(b);
        if (a == b) return;
        if (m_size[a] < m_size[b]) std::swap(a, b);
        m_parent[b] = a;
        m_size[a] += m_size[b];
        m_count -= m_ofJob[a] > 0 && m_ofJob[b] > 0 ? 1 : 0;
        m_ofJob[a] += m_ofJob[b];
        m_joined.push_back(b);
    }
    void takeBack(std::size_t joins) { // all joins after the first `joins`
        for (; m_joined.size() > joins; m_joined.pop_back()) {
            const std::uint32_t b = m_joined.back(), a = m_parent[b];
            m_parent[b] = b;
            m_size[a] -= m_size[b];
            m_ofJob[a] -= m_ofJob[b];
            m_count += m_ofJob[a] > 0 && m_ofJob[b] > 0 ? 1 : 0;
        }
    }

private:
    std::uint32_t find(std::uint32_t x) const {
        while (m_parent[x] != x) x = m_parent[x];
        return x;
    }
    std::vector<std::uint32_t> m_ofJob, m_parent, m_size, m_joined;
    std::size_t m_count = 0;
};

} // namespace

template <class NumberOf>
JointLosses::Lists::Lists(std::size_t lists, std::size_t count, const NumberOf& numberOf) : first(lists + 1) {
    for (std::size_t i = 0; i < count; ++i)
        if (const std::uint32_t list = numberOf(i); list != none) ++first[list + 1];
    for (std::size_t list = 0; list < lists; ++list) first[list + 1] += first[list];
    members.resize(first.back());
    Numbers next(first.begin(), first.end() - 1);
    for (std::size_t i = 0; i < count; ++i)
        if (const std::uint32_t list = numberOf(i); list != none) members[next[list]++] = static_cast<std::uint32_t>(i);
}

// Before what has failed.
struct JointLosses::Intact {
    Intact(const Fabric& fabric, const JobParts& now, FailurePolicy policy) : parts(without(now)), losses(fabric, parts, policy) {}
    static JobParts without(JobParts parts) {
        parts.failed = {};
        parts.lost = {};
        return parts;
    }
    const JobParts parts;
    JointLosses losses;
};

JointLosses::JointLosses(const Fabric& fabric, const JobParts& parts, FailurePolicy policy)
    : m_fabric(fabric),
      m_parts(parts),
      m_isTolerant(policy == FailurePolicy::Tolerant),
      m_nodeOf(nodesOfDevices(fabric, parts.graph)),
      m_isFailed(fabric.devices.size()),
      m_isLinkFailed(fabric.links.size()),
      m_failedOfEdge(parts.graph.edges.size()),
      m_placeOf(fabric.devices.size(), NoIndex::number),
      m_isLost(parts.gpus.size()) {
    const std::vector<SwitchGraph::Host>& hosts = parts.graph.hosts;
    for (std::size_t place = 0; place < parts.gpus.size(); ++place) m_placeOf[parts.gpus[place]] = static_cast<std::uint32_t>(place);
    m_gpusOfServer = Lists(fabric.servers.size(), parts.gpus.size(),
                           [&](std::size_t place) -> std::uint32_t { return parts.serverOf[parts.gpus[place]]; });
    m_hostsOfNode = Lists(parts.graph.device.size(), hosts.size(), [&](std::size_t h) -> std::uint32_t { return hosts[h].node; });
    m_hostsOfNic = Lists(fabric.devices.size(), hosts.size(), [&](std::size_t h) -> std::uint32_t { return hosts[h].nic; });
    m_hostsOfLink = Lists(fabric.links.size(), hosts.size(), [&](std::size_t h) -> std::uint32_t { return hosts[h].link; });
    mark(parts.failed, true);
    findTerminals();
    findNetworks();
    for (const DeviceId gpu : parts.lost.gpus)
        if (m_placeOf[gpu] != none) m_isLost[m_placeOf[gpu]] = true;
    m_wasDivided = isDivided({}, true);
    m_doSwitchesJoin = !isDivided({}, false);
    if (parts.failed.devices.empty() && parts.failed.links.empty()) return;
    m_intact = std::make_unique<Intact>(fabric, parts, policy);
}

JointLosses::~JointLosses() = default;

std::uint32_t JointLosses::terminalOf(DeviceId device) const {
    const DomainId domain = m_fabric.devices.hbDomain[device];
    return m_isTolerant && domain != none ? static_cast<std::uint32_t>(m_fabric.devices.size()) + std::uint32_t{domain}
                                          : std::uint32_t{device};
}

// Traffic of their GPUs also leaves over NICs of GPUs that are not of the job.
std::vector<bool> JointLosses::forwardingDomains() const {
    std::vector<bool> domains(m_fabric.hbDomains.size());
    for (const DeviceId nic : m_parts.nics)
        if (const DomainId domain = m_fabric.devices.hbDomain[nic]; domain != none) domains[domain] = m_isTolerant;
    return domains;
}

void JointLosses::findTerminals() {
    const std::vector<SwitchGraph::Host>& hosts = m_parts.graph.hosts;
    const std::vector<bool> forwards = forwardingDomains();
    Numbers numberOf(m_fabric.devices.size() + m_fabric.hbDomains.size(), NoIndex::number);
    m_terminalOfHost.assign(hosts.size(), NoIndex::number);
    for (std::size_t h = 0; h < hosts.size(); ++h) {
        const DomainId domain = m_fabric.devices.hbDomain[hosts[h].nic];
        if (m_parts.devices[hosts[h].nic] == PartUse::None && (domain == none || !forwards[domain])) continue;
        std::uint32_t& terminal = numberOf[terminalOf(hosts[h].nic)];
        if (terminal == none) terminal = static_cast<std::uint32_t>(m_waysOf.size()), m_waysOf.push_back(0);
        m_terminalOfHost[h] = terminal;
        m_waysOf[terminal] += isUp(hosts[h]) ? 1 : 0;
    }
    Numbers terminal, place; // GPUs leave over their NICs, or with the tolerant policy over those of their HB domain
    const auto add = [&](DeviceId gpu, std::uint32_t own) {
        if (m_placeOf[gpu] == none || numberOf[own] == none) return;
        terminal.push_back(numberOf[own]);
        place.push_back(m_placeOf[gpu]);
    };
    for (const LinkId l : m_fabric.links.ids()) {
        if (m_fabric.links.tier[l] != LinkTier::Pcie) continue;
        const DeviceId a = m_fabric.links.a[l], b = m_fabric.links.b[l];
        if (m_fabric.devices.isGpu(a) && m_fabric.devices.isNic(b)) add(a, terminalOf(b));
        if (m_fabric.devices.isGpu(b) && m_fabric.devices.isNic(a)) add(b, terminalOf(a));
    }
    if (m_isTolerant)
        for (const DeviceId gpu : m_parts.gpus)
            if (m_fabric.devices.hbDomain[gpu] != none) add(gpu, terminalOf(gpu));
    m_gpusOfTerminal = Lists(m_waysOf.size(), terminal.size(), [&](std::size_t i) { return terminal[i]; });
    for (std::uint32_t& member : m_gpusOfTerminal.members) member = place[member];
}

void JointLosses::findNetworks() {
    const SwitchGraph& graph = m_parts.graph;
    DisjointSets sets(graph.device.size() + m_waysOf.size());
    for (const SwitchGraph::Edge& edge : graph.edges) sets.join(edge.lower, edge.upper);
    for (std::size_t h = 0; h < graph.hosts.size(); ++h)
        if (m_terminalOfHost[h] != none) sets.join(graph.hosts[h].node, terminalNode(h));
    m_networkOf.resize(m_waysOf.size());
    for (std::size_t t = 0; t < m_networkOf.size(); ++t) m_networkOf[t] = sets.find(static_cast<std::uint32_t>(graph.device.size() + t));
}

void JointLosses::mark(const FailedTogether& failed, bool isFailed) {
    for (const DeviceId d : failed.devices) m_isFailed[d] = isFailed;
    for (const LinkId l : failed.links) {
        if (m_isLinkFailed[l] == isFailed) continue;
        m_isLinkFailed[l] = isFailed;
        if (const std::uint32_t edge = edgeOf(l); edge != none) m_failedOfEdge[edge] += isFailed ? 1 : -1;
    }
}

bool JointLosses::isUp(const SwitchGraph::Host& host) const {
    return !hasFailed(host.node) && !m_isFailed[host.nic] && !m_isLinkFailed[host.link];
}
bool JointLosses::hasFailed(NodeId node) const { return m_parts.graph.device[node] != none && m_isFailed[m_parts.graph.device[node]]; }

std::uint32_t JointLosses::edgeOf(LinkId link) const {
    if (!m_fabric.isNetworkLink(link)) return none;
    const NodeId lower = m_nodeOf[m_fabric.links.a[link]], upper = m_nodeOf[m_fabric.links.b[link]];
    if (lower == none || upper == none) return none;
    const auto above = m_parts.graph.edgesAbove(lower);
    const auto found = std::partition_point(above.begin(), above.end(), [&](const SwitchGraph::Edge& edge) { return edge.upper < upper; });
    if (found == above.end() || found->upper != upper) return none;
    return m_parts.graph.firstEdge[lower] + static_cast<std::uint32_t>(found - above.begin());
}

// Those that are up and will not be.
JointLosses::Numbers JointLosses::hostsOf(const FailedTogether& failed) const {
    Numbers hosts;
    const auto add = [&](std::span<const std::uint32_t> all) {
        for (const std::uint32_t h : all)
            if (m_terminalOfHost[h] != none && isUp(m_parts.graph.hosts[h])) hosts.push_back(h);
    };
    for (const LinkId l : failed.links) add(m_hostsOfLink.of(l));
    for (const DeviceId d : failed.devices) {
        add(m_hostsOfNic.of(d));
        if (m_nodeOf[d] != none) add(m_hostsOfNode.of(m_nodeOf[d]));
    }
    std::sort(hosts.begin(), hosts.end());
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    return hosts;
}

JointLosses::Numbers JointLosses::lostBy(const FailedTogether& failed) {
    const Numbers down = hostsOf(failed);
    Numbers lost;
    for (const DeviceId d : failed.devices)
        if (m_placeOf[d] != none) lost.push_back(m_placeOf[d]);
    for (const std::uint32_t h : down)
        if (--m_waysOf[m_terminalOfHost[h]] == 0)
            for (const std::uint32_t place : m_gpusOfTerminal.of(m_terminalOfHost[h])) lost.push_back(place);
    for (const std::uint32_t h : down) ++m_waysOf[m_terminalOfHost[h]];
    std::set<ServerId> servers;
    for (const std::uint32_t place : lost)
        if (const ServerId server = m_parts.serverOf[m_parts.gpus[place]]; server != none) servers.insert(server);
    for (const ServerId server : servers) // each leaves the job as a whole
        for (const std::uint32_t place : m_gpusOfServer.of(server)) lost.push_back(place);
    std::sort(lost.begin(), lost.end());
    lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
    std::erase_if(lost, [&](std::uint32_t place) { return m_isLost[place]; });
    return lost;
}

bool JointLosses::isThere(std::size_t edge) const {
    const SwitchGraph::Edge& own = m_parts.graph.edges[edge];
    return m_failedOfEdge[edge] < static_cast<std::uint32_t>(own.links) && !hasFailed(own.lower) && !hasFailed(own.upper);
}

std::vector<bool> JointLosses::lostServers(const Numbers& lost) const {
    std::vector<bool> isServerLost(m_fabric.servers.size());
    const auto lose = [&](std::size_t place) {
        if (const ServerId server = m_parts.serverOf[m_parts.gpus[place]]; server != none) isServerLost[server] = true;
    };
    for (const std::uint32_t place : lost) lose(place);
    for (std::size_t place = 0; place < m_isLost.size(); ++place)
        if (m_isLost[place]) lose(place);
    return isServerLost;
}

bool JointLosses::holds(const SwitchGraph::Host& host, const std::vector<bool>& isServerLost) const {
    const ServerId server = m_parts.serverOf[host.nic];
    return isUp(host) && (server == none || !isServerLost[server]);
}

// What remains of the job without these GPUs too.
bool JointLosses::isDivided(const Numbers& lost, bool withHosts) const {
    const SwitchGraph& graph = m_parts.graph;
    const std::vector<bool> isServerLost = lostServers(lost);
    DisjointSets sets(graph.device.size() + m_waysOf.size());
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
        if (isThere(e)) sets.join(graph.edges[e].lower, graph.edges[e].upper);
    const auto each = [&](const auto& use) {
        for (std::size_t h = 0; h < graph.hosts.size(); ++h)
            if (m_terminalOfHost[h] != none && holds(graph.hosts[h], isServerLost)) use(graph.hosts[h], h);
    };
    if (withHosts) each([&](const SwitchGraph::Host& host, std::size_t h) { sets.join(host.node, terminalNode(h)); });
    Numbers rootOf(graph.device.size() + m_waysOf.size(), NoIndex::number); // by network
    bool isDivided = false;
    each([&](const SwitchGraph::Host& host, std::size_t h) {
        if (m_parts.devices[host.nic] == PartUse::None) return;
        std::uint32_t& root = rootOf[m_networkOf[m_terminalOfHost[h]]];
        if (root == none) root = sets.find(host.node);
        isDivided = isDivided || root != sets.find(host.node);
    });
    return isDivided;
}

bool JointLosses::dividesNow(const FailedTogether& failed, const Numbers& lost) {
    const bool isAboveHosts = std::any_of(failed.devices.begin(), failed.devices.end(), [&](DeviceId d) { return m_nodeOf[d] != none; }) ||
                              std::any_of(failed.links.begin(), failed.links.end(), [&](LinkId l) { return edgeOf(l) != none; });
    if (m_wasDivided || (!isAboveHosts && m_doSwitchesJoin)) return false;
    FailedTogether now; // what has not failed before
    std::copy_if(failed.devices.begin(), failed.devices.end(), std::back_inserter(now.devices), [&](DeviceId d) { return !m_isFailed[d]; });
    std::copy_if(failed.links.begin(), failed.links.end(), std::back_inserter(now.links), [&](LinkId l) { return !m_isLinkFailed[l]; });
    mark(now, true);
    const bool divides = isDivided(lost, true);
    mark(now, false);
    return divides;
}

JointLoss JointLosses::of(const FailedTogether& failed) {
    if (failed.devices.empty() && failed.links.empty()) return {};
    Numbers lost = lostBy(failed);
    JointLoss loss;
    loss.dividesJob = dividesNow(failed, lost);
    if (m_intact) {
        const JointLoss before = m_intact->losses.of(failed);
        loss.dividesJob = loss.dividesJob || before.dividesJob;
        for (const DeviceId gpu : before.gpus) lost.push_back(m_placeOf[gpu]);
        std::sort(lost.begin(), lost.end());
        lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
    }
    std::set<ServerId> servers;
    for (const std::uint32_t place : lost) {
        loss.gpus.push_back(m_parts.gpus[place]);
        if (const ServerId server = m_parts.serverOf[loss.gpus.back()]; server != none) servers.insert(server);
    }
    if (!servers.empty())
        for (const ServerId server : m_parts.servers)
            if (servers.contains(server)) loss.servers.push_back(server);
    return loss;
}

std::vector<bool> JointLosses::dividing(const std::vector<std::vector<LinkId>>& sets) const {
    std::vector<bool> divides = m_wasDivided || sets.empty() ? std::vector<bool>(sets.size()) : dividingNow(sets);
    if (!m_intact) return divides;
    const std::vector<bool> before = m_intact->losses.dividing(sets);
    for (std::size_t s = 0; s < sets.size(); ++s) divides[s] = divides[s] || before[s];
    return divides;
}

std::vector<bool> JointLosses::dividingNow(const std::vector<std::vector<LinkId>>& sets) const {
    const SwitchGraph& graph = m_parts.graph;
    std::vector<Numbers> edgesOf(sets.size()); // of which a set takes all links; no edge is in two
    std::vector<bool> isInSet(graph.edges.size());
    for (std::size_t s = 0; s < sets.size(); ++s) {
        Numbers taken;
        for (const LinkId l : sets[s])
            if (const std::uint32_t edge = edgeOf(l); edge != none && !m_isLinkFailed[l]) taken.push_back(edge);
        std::sort(taken.begin(), taken.end());
        for (auto first = taken.begin(); first != taken.end();) {
            const auto last = std::upper_bound(first, taken.end(), *first);
            const auto links = static_cast<std::uint32_t>(graph.edges[*first].links);
            if (isThere(*first) && m_failedOfEdge[*first] + static_cast<std::uint32_t>(last - first) == links) {
                edgesOf[s].push_back(*first);
                isInSet[*first] = true;
            }
            first = last;
        }
    }
    const std::vector<bool> isServerLost = lostServers({});
    Numbers ofJob(graph.device.size() + m_waysOf.size());
    for (std::size_t h = 0; h < graph.hosts.size(); ++h)
        if (m_parts.devices[graph.hosts[h].nic] != PartUse::None && m_terminalOfHost[h] != none && holds(graph.hosts[h], isServerLost))
            ++ofJob[terminalNode(h)];
    SetsOfJob parts(std::move(ofJob));
    const auto join = [&](std::uint32_t e) { parts.join(graph.edges[e].lower, graph.edges[e].upper); };
    for (std::uint32_t e = 0; e < graph.edges.size(); ++e)
        if (!isInSet[e] && isThere(e)) join(e);
    for (std::size_t h = 0; h < graph.hosts.size(); ++h)
        if (m_terminalOfHost[h] != none && holds(graph.hosts[h], isServerLost)) parts.join(graph.hosts[h].node, terminalNode(h));
    std::size_t whole = 0; // parts where all sets are there
    {
        const std::size_t before = parts.joins();
        for (const Numbers& edges : edgesOf) std::for_each(edges.begin(), edges.end(), join);
        whole = parts.count();
        parts.takeBack(before);
    }
    std::vector<bool> divides(sets.size());
    // Halves of the sets, the other half of which is there: every edge is joined once for each halving.
    const std::function<void(std::size_t, std::size_t)> divide = [&](std::size_t first, std::size_t last) {
        if (last - first == 1) {
            divides[first] = parts.count() > whole;
            return;
        }
        const std::size_t middle = first + (last - first) / 2, before = parts.joins();
        for (std::size_t s = middle; s < last; ++s) std::for_each(edgesOf[s].begin(), edgesOf[s].end(), join);
        divide(first, middle);
        parts.takeBack(before);
        for (std::size_t s = first; s < middle; ++s) std::for_each(edgesOf[s].begin(), edgesOf[s].end(), join);
        divide(middle, last);
        parts.takeBack(before);
    };
    divide(0, sets.size());
    return divides;
}

JointLoss lossOf(const FailedTogether& failed, const Fabric& fabric, const JobParts& parts, FailurePolicy policy) {
    if (failed.devices.empty() && failed.links.empty()) return {};
    return JointLosses(fabric, parts, policy).of(failed);
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
