#include "core/reliability/single_failures.h"

#include "core/base/random.h"
#include "core/bisection/bisection.h"
#include "core/fabric/rack_systems.h"
#include "core/fabric/without.h"
#include "core/failure/impact.h"
#include "core/reliability/joint_loss.h"
#include "core/reliability/optical_losses.h"
#include "core/reliability/power_feeds.h"
#include "core/reliability/renewals.h"
#include "core/reliability/surroundings.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>

namespace railyard {
namespace {

constexpr double relative = 1e-9; // capacities are sums of whole speeds

struct Kind { // of parts that fail alike
    SingleFailure failure;
    std::string part;
    std::vector<DeviceId> devices; // what fails of one of them
    std::vector<LinkId> links;
};

// GPUs that a leaf, a NIC or a link cuts off: their HB domain has no other way out. A GPU without a domain is its own.
struct Domain {
    std::int64_t gpus = 0, nics = 0, links = 0;
    NodeId node = none; // of all its links; none: of several
    bool isOnOneNode = true;
};

// Parts whose failure has the same impact, by kind, structure and part.
class KindTable {
public:
    KindTable(const Fabric& fabric, std::size_t most) : m_fabric(fabric), m_most(most) {}
    bool isFull() const { return m_kinds.size() > m_most; } // further parts are not taken

    // One more of these; `describe` fills in what is said of them, once.
    template <class Describe>
    void add(PartKind kind, std::uint64_t shape, std::uint16_t part, bool interrupts, const Describe& describe) {
        if (isFull()) return;
        const Signature signature{kind, mixedBits(shape * 2 + (interrupts ? 1 : 0)), part};
        if (!m_last || m_last->first != signature) { // most follow one of their own kind
            const auto [found, isFresh] = m_kinds.try_emplace(signature);
            m_last = &*found;
            if (isFresh) {
                found->second.failure.kind = kind;
                found->second.failure.interruptsJob = interrupts;
                found->second.part = m_fabric.partIds[part];
                describe(found->second);
            }
        }
        ++m_last->second.failure.count;
    }
    std::vector<Kind> take() {
        std::vector<Kind> kinds;
        for (auto& [signature, kind] : m_kinds) kinds.push_back(std::move(kind));
        return kinds;
    }

private:
    using Signature = std::tuple<PartKind, std::uint64_t, std::uint16_t>; // kind, structure, part

    const Fabric& m_fabric;
    const std::size_t m_most;
    std::map<Signature, Kind> m_kinds;
    std::pair<const Signature, Kind>* m_last = nullptr;
};

// The GPUs of a job by the NIC that they use.
class GpusOfNics {
public:
    GpusOfNics() = default;
    GpusOfNics(const Fabric& fabric, const std::vector<bool>& isOfJob) : m_first(fabric.devices.size() + 1) {
        const LinkTable& links = fabric.links;
        const auto each = [&](const auto& use) {
            for (const LinkId l : links.ids()) {
                if (links.tier[l] != LinkTier::Pcie) continue;
                const DeviceId a = links.a[l], b = links.b[l], gpu = fabric.devices.isGpu(a) ? a : b, nic = gpu == a ? b : a;
                if (isOfJob[gpu] && fabric.devices.isNic(nic)) use(gpu, nic);
            }
        };
        each([&](DeviceId, DeviceId nic) { ++m_first[std::size_t{nic} + 1]; });
        for (std::size_t d = 1; d < m_first.size(); ++d) m_first[d] += m_first[d - 1];
        m_gpus.resize(m_first.back());
        std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
        each([&](DeviceId gpu, DeviceId nic) { m_gpus[next[nic]++] = gpu; });
    }
    std::span<const DeviceId> of(DeviceId nic) const {
        return std::span(m_gpus).subspan(m_first[nic], m_first[std::size_t{nic} + 1] - m_first[nic]);
    }

private:
    std::vector<std::uint32_t> m_first; // by NIC, into m_gpus
    std::vector<DeviceId> m_gpus;
};

// Parts are alike if what stands around them is, up to `reach` links away; 0: below them; -1: if they are of one tier and cut off equally
// many GPUs.
class KindFinder {
public:
    KindFinder(const Fabric& fabric, const JobParts& parts, int reach, std::size_t most)
        : m_fabric(fabric),
          m_parts(parts),
          m_graph(parts.graph),
          m_isCoarse(reach < 0),
          m_kinds(fabric, most) {
        m_isOfJob.resize(fabric.devices.size());
        for (const DeviceId gpu : parts.gpus) m_isOfJob[gpu] = true;
        m_gpusOf = GpusOfNics(fabric, m_isOfJob);
        findDomains();
        measure();
        m_around = surroundingsOf(fabric, m_graph, m_shape, reach);
    }
    // Empty if there are more than that.
    std::optional<std::vector<Kind>> find() {
        addSwitches();
        addLinks();
        addNics();
        addServers();
        return m_kinds.isFull() ? std::nullopt : std::optional(m_kinds.take());
    }
    const By<NodeId, std::uint64_t>& places() const { return m_around.ofNode; } // of switches

private:
    std::uint32_t domainOf(DeviceId device) const {
        const DomainId domain = m_fabric.devices.hbDomain[device];
        return domain != none ? std::uint32_t{domain} : static_cast<std::uint32_t>(m_fabric.hbDomains.size()) + std::uint32_t{device};
    }
    void findDomains() {
        for (const DeviceId gpu : m_parts.gpus) ++m_domains[domainOf(gpu)].gpus;
        std::vector<bool> isCabled(m_fabric.devices.size());
        for (const SwitchGraph::Host& host : m_graph.hosts) {
            // Also over NICs of GPUs that are not of the job.
            const auto found = m_domains.find(domainOfNic(host.nic));
            if (found == m_domains.end()) continue;
            Domain& own = found->second;
            if (!isCabled[host.nic]) ++own.nics;
            isCabled[host.nic] = true;
            own.isOnOneNode = own.isOnOneNode && (own.links == 0 || own.node == host.node);
            own.node = host.node;
            ++own.links;
        }
        m_cutOff.assign(m_graph.device.size(), 0);
        for (const auto& [number, own] : m_domains)
            if (isCutOffBy(own.node, own)) m_cutOff[own.node] += own.gpus;
    }
    std::uint32_t domainOfNic(DeviceId nic) const {
        return m_fabric.devices.hbDomain[nic] != none || m_gpusOf.of(nic).empty() ? domainOf(nic) : domainOf(m_gpusOf.of(nic).front());
    }

    // What comes from below when all NICs send, the uplinks, and what hangs below as a number: alike where the structure is.
    void measure() {
        const std::size_t nodes = m_graph.device.size();
        m_down.assign(nodes, 0);
        m_up.assign(nodes, 0);
        m_shape.assign(nodes, 0);
        m_hostsOf.resize(nodes);
        m_edgesBelow.resize(nodes);
        for (std::uint32_t h = 0; h < m_graph.hosts.size(); ++h) {
            const SwitchGraph::Host& host = m_graph.hosts[h];
            m_down[host.node] += host.capacity.value();
            m_hostsOf[host.node].push_back(h);
            m_shape[host.node] += mixedBits(m_gpusOf.of(host.nic).size() + 1);
        }
        for (std::uint32_t e = 0; e < m_graph.edges.size(); ++e) {
            const SwitchGraph::Edge& edge = m_graph.edges[e];
            m_up[edge.lower] += edge.capacity.value();
            m_edgesBelow[edge.upper].push_back(e);
        }
        for (int tier = 0; tier < 5; ++tier)
            for (const NodeId node : m_graph.nodes())
                if (static_cast<int>(m_graph.tier[node]) == tier) {
                    m_shape[node] += mixedBits(static_cast<std::uint64_t>(m_cutOff[node]));
                    for (const std::uint32_t e : m_edgesBelow[node]) {
                        const SwitchGraph::Edge& edge = m_graph.edges[e];
                        m_down[node] += edge.capacity.value() * std::min(1.0, m_down[edge.lower] / m_up[edge.lower]);
                        m_shape[node] += mixedBits(m_shape[edge.lower] + static_cast<std::uint64_t>(edge.links));
                    }
                }
    }
    // The share of what comes from below that the uplinks of a switch still carry; `less` of them are gone.
    double carried(NodeId node, double less = 0) const {
        return m_down[node] > 0 ? std::min(1.0, std::max(0.0, m_up[node] - less) / m_down[node]) : 1;
    }
    bool degrades(NodeId lower, double less) const { return carried(lower, less) < carried(lower) * (1 - relative); }

    bool isCutOffBy(NodeId node, const Domain& domain) const { return domain.links > 0 && domain.isOnOneNode && domain.node == node; }
    void mark(DeviceId gpu) {
        if (m_marks[gpu] == m_mark || (m_failing != none && isCutOffBy(m_failing, m_domains.at(domainOf(gpu))))) return;
        m_marks[gpu] = m_mark;
        ++m_marked;
    }
    void markBelow(NodeId node) {
        for (const std::uint32_t h : m_hostsOf[node])
            for (const DeviceId gpu : m_gpusOf.of(m_graph.hosts[h].nic)) mark(gpu);
        for (const std::uint32_t e : m_edgesBelow[node]) markBelow(m_graph.edges[e].lower);
    }
    // GPUs that `use` marks, without those that the switch cuts off.
    template <class Use>
    std::int64_t gpusMarked(NodeId failing, const Use& use) {
        m_failing = failing;
        m_marks.resize(m_fabric.devices.size(), 0);
        ++m_mark;
        m_marked = 0;
        use();
        return m_marked;
    }

    std::uint16_t partOf(DeviceId device) const { return m_fabric.devices.part[device]; }

    void addServers() {
        const auto devicesOf = [&](ServerId server) { // asked once for every kind
            std::vector<DeviceId> devices;
            for (const DeviceId d : m_fabric.devices.ids())
                if (m_fabric.devices.server[d] == server) devices.push_back(d);
            return devices;
        };
        By<ServerId, std::int64_t> ofJob(m_fabric.servers.size());
        for (const DeviceId d : m_fabric.devices.ids())
            if (const ServerId server = m_fabric.devices.server[d]; server != none && m_isOfJob[d]) ++ofJob[server];
        // How many ways out its HB domains have, and how many of them are its own.
        By<ServerId, std::uint64_t> ways(m_fabric.servers.size());
        for (const SwitchGraph::Host& host : m_graph.hosts)
            if (const ServerId server = m_fabric.devices.server[host.nic]; server != none)
                if (const auto domain = m_domains.find(domainOfNic(host.nic)); domain != m_domains.end())
                    ways[server] += mixedBits(static_cast<std::uint64_t>(domain->second.links) + 1);
        const auto shapeOf = [&](ServerId server) {
            const auto gpus = static_cast<std::uint64_t>(ofJob[server]);
            return m_isCoarse ? gpus : gpus + mixedBits(ways[server]) + mixedBits(m_around.ofServer[server] + 1);
        };
        JointLosses losses(m_fabric, m_parts, FailurePolicy::Tolerant); // also of servers whose HB domain had no other way out
        const auto lostWith = [&](const std::vector<DeviceId>& all) { return static_cast<std::int64_t>(losses.of({all, {}}).gpus.size()); };
        for (const ServerId server : m_parts.servers) {
            const std::uint16_t part = m_fabric.serverParts[server];
            const PartKind kind = rackSystemOf(m_fabric, server) ? PartKind::Tray : PartKind::Server;
            m_kinds.add(kind, shapeOf(server), part, true, [&](Kind& own) {
                own.failure.path = m_fabric.scopePath(m_fabric.servers[server]);
                own.devices = devicesOf(server);
                own.failure.gpusLost = lostWith(own.devices);
            });
        }
        for (const DeviceId gpu : m_parts.gpus) {
            const ServerId server = m_fabric.devices.server[gpu];
            m_kinds.add(PartKind::Gpu, server == none ? 0 : shapeOf(server), partOf(gpu), true, [&](Kind& own) {
                own.failure.path = m_fabric.devicePath(gpu);
                own.devices = server == none ? std::vector<DeviceId>{gpu} : devicesOf(server);
                own.failure.gpusLost = lostWith(own.devices);
            });
        }
    }
    void addNics() {
        By<DeviceId, std::int64_t> linksOf(m_fabric.devices.size());
        for (const SwitchGraph::Host& host : m_graph.hosts) ++linksOf[host.nic];
        const auto lostWith = [&](DeviceId nic, bool isLink) -> std::int64_t {
            if (linksOf[nic] == 0) return 0; // it never was a way out
            const Domain& own = m_domains.at(domainOfNic(nic));
            return (isLink ? own.links : own.nics) == 1 ? own.gpus : 0;
        };
        const auto shapeOf = [&](DeviceId nic, bool isLink) {
            if (m_isCoarse) return static_cast<std::uint64_t>(lostWith(nic, isLink));
            return ((m_gpusOf.of(nic).size() * 1024 + static_cast<std::uint64_t>(linksOf[nic])) ^
                    mixedBits(static_cast<std::uint64_t>(lostWith(nic, isLink)))) +
                   m_around.ofNic[nic];
        };
        const auto describe = [&](Kind& own, DeviceId nic, bool isLink) {
            own.failure.gpusLost = lostWith(nic, isLink);
            const bool isDegraded = own.failure.gpusLost == 0 && linksOf[nic] > 0;
            own.failure.gpusDegraded = isDegraded ? static_cast<std::int64_t>(m_gpusOf.of(nic).size()) : 0;
        };
        for (const DeviceId nic : m_parts.nics)
            m_kinds.add(PartKind::Nic, shapeOf(nic, false), partOf(nic), m_parts.devices[nic] == PartUse::Interrupts, [&](Kind& own) {
                own.failure.path = m_fabric.devicePath(nic);
                describe(own, nic, false);
                own.devices = {nic};
            });
        for (const SwitchGraph::Host& host : m_graph.hosts)
            if (m_parts.links[host.link] != PartUse::None && !m_gpusOf.of(host.nic).empty())
                m_kinds.add(PartKind::HostLink, shapeOf(host.nic, true), 0, m_parts.links[host.link] == PartUse::Interrupts,
                            [&](Kind& own) {
                                own.failure.path = m_fabric.devicePath(host.nic) + ":" +
                                                   m_fabric.portName(host.nic, host.port, m_fabric.links.tier[host.link]);
                                describe(own, host.nic, true);
                                own.links = {host.link};
                            });
    }
    void addSwitches() {
        for (const NodeId node : m_graph.nodes()) {
            const DeviceId device = m_graph.device[node];
            if (device == none || m_parts.devices[device] == PartUse::None) continue;
            std::uint64_t shape = m_isCoarse ? mixedBits(static_cast<std::uint64_t>(m_cutOff[node])) : m_around.ofNode[node];
            for (const std::uint32_t e : m_edgesBelow[node]) {
                if (m_isCoarse) break;
                const SwitchGraph::Edge& edge = m_graph.edges[e];
                shape += mixedBits(m_shape[edge.lower] ^ (degrades(edge.lower, edge.capacity.value()) ? 1U : 2U));
            }
            m_kinds.add(kindOfTier(m_graph.tier[node]), shape, partOf(device), m_parts.devices[device] == PartUse::Interrupts,
                        [&](Kind& own) {
                            own.failure.path = m_fabric.devicePath(device);
                            own.devices = {device};
                            own.failure.gpusLost = m_cutOff[node];
                            own.failure.gpusDegraded = gpusMarked(node, [&] {
                                for (const std::uint32_t h : m_hostsOf[node])
                                    for (const DeviceId gpu : m_gpusOf.of(m_graph.hosts[h].nic)) mark(gpu);
                                for (const std::uint32_t e : m_edgesBelow[node])
                                    if (degrades(m_graph.edges[e].lower, m_graph.edges[e].capacity.value()))
                                        markBelow(m_graph.edges[e].lower);
                            });
                        });
        }
    }
    void addLinks() {
        const By<DeviceId, NodeId> nodeOf = nodesOfDevices(m_fabric, m_graph);
        for (const LinkId l : m_fabric.links.ids()) {
            if (m_parts.links[l] == PartUse::None || m_fabric.links.tier[l] == LinkTier::HostLeaf) continue;
            const NodeId lower = nodeOf[m_fabric.links.a[l]];
            if (lower == none) continue;
            const bool isDegraded = degrades(lower, m_fabric.speedOf(l).value());
            const auto tier = static_cast<std::uint64_t>(m_fabric.links.tier[l]);
            const NodeId upper = nodeOf[m_fabric.links.b[l]];
            const std::uint64_t shape = m_isCoarse ? tier * 2 + (isDegraded ? 1 : 0)
                                                   : mixedBits(m_around.ofNode[lower] ^ (isDegraded ? 1U : 2U)) +
                                                         mixedBits(upper == none ? 0 : m_around.ofNode[upper] + 3) + tier;
            m_kinds.add(PartKind::Link, shape, 0, m_parts.links[l] == PartUse::Interrupts, [&](Kind& own) {
                const DeviceId a = m_fabric.links.a[l];
                own.failure.path = m_fabric.devicePath(a) + ":" + m_fabric.portName(a, m_fabric.links.aPort[l], m_fabric.links.tier[l]);
                own.failure.gpusDegraded = isDegraded ? gpusMarked(NodeId(none), [&] { markBelow(lower); }) : 0;
                own.links = {l};
            });
        }
    }

    const Fabric& m_fabric;
    const JobParts& m_parts;
    const SwitchGraph& m_graph;
    std::vector<bool> m_isOfJob;
    GpusOfNics m_gpusOf;
    std::unordered_map<std::uint32_t, Domain> m_domains;
    By<NodeId, std::int64_t> m_cutOff; // GPUs, by leaf
    By<NodeId, double> m_down, m_up;   // bit/s
    By<NodeId, std::uint64_t> m_shape;
    Surroundings m_around;
    By<NodeId, std::vector<std::uint32_t>> m_hostsOf, m_edgesBelow;
    std::vector<std::uint32_t> m_marks;
    NodeId m_failing{none};
    const bool m_isCoarse;
    std::uint32_t m_mark = 0;
    std::int64_t m_marked = 0;
    KindTable m_kinds;
};

// NVLink switch trays, power feeds and optical circuit switches, which take several parts at once.
class JointKinds {
public:
    // `places`: of every switch, equal where the surroundings are. `most`: kinds of optical switches; if there are more, those are alike
    // that cut off equally many GPUs.
    JointKinds(const Fabric& fabric, const JobParts& parts, FailurePolicy policy, const By<NodeId, std::uint64_t>& places, std::size_t most)
        : m_fabric(fabric),
          m_parts(parts),
          m_policy(policy),
          m_place(places),
          m_mostOptical(most),
          m_kinds(fabric, std::numeric_limits<std::size_t>::max()) {}
    std::vector<Kind> find() {
        addSwitchTrays();
        addFeeds();
        addOpticalSwitches();
        return m_kinds.take();
    }

private:
    // NVLink switch trays of rack systems: all GPUs of their HB domain lose HB links.
    void addSwitchTrays() {
        std::map<DomainId, std::pair<std::int64_t, std::size_t>> racks; // GPUs of the job, HB switches of a tray
        for (const DeviceId gpu : m_parts.gpus) {
            const ServerId server = m_fabric.devices.server[gpu];
            const Part* rack = server == none ? nullptr : rackSystemOf(m_fabric, server);
            const DomainId domain = m_fabric.devices.hbDomain[gpu];
            if (!rack || domain == none) continue;
            auto& own = racks[domain];
            ++own.first;
            own.second = static_cast<std::size_t>(std::max(1, rack->as<RackPart>()->system->switchesPerTray));
        }
        std::map<DomainId, std::vector<DeviceId>> switches;
        for (const DeviceId d : m_fabric.devices.ids())
            if (m_fabric.devices.isHbSwitch(d) && racks.contains(m_fabric.devices.hbDomain[d]))
                switches[m_fabric.devices.hbDomain[d]].push_back(d);
        for (const auto& rack : racks) {
            const std::vector<DeviceId>& all = switches[rack.first];
            const std::int64_t ofJob = rack.second.first;
            const std::size_t ofTray = rack.second.second;
            for (std::size_t first = 0; first < all.size(); first += ofTray) {
                const std::size_t count = std::min(ofTray, all.size() - first);
                m_kinds.add(PartKind::NvlinkSwitchTray, static_cast<std::uint64_t>(ofJob) * 1024 + count, 0, true, [&](Kind& kind) {
                    kind.failure.path = m_fabric.devicePath(all[first]);
                    kind.failure.gpusDegraded = ofJob;
                    kind.devices.assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                                        all.begin() + static_cast<std::ptrdiff_t>(first + count));
                });
            }
        }
    }
    void addFeeds() {
        if (!hasSingleFeeds(*m_fabric.design)) return;
        const By<DeviceId, NodeId> nodeOf = nodesOfDevices(m_fabric, m_parts.graph);
        JointLosses losses(m_fabric, m_parts, FailurePolicy::Tolerant), ofPolicy(m_fabric, m_parts, m_policy);
        for (const RowFeed& feed : rowFeedsOf(m_fabric)) {
            if (feed.devices.empty()) continue;
            const JointLoss loss = losses.of({feed.devices, {}});
            std::uint64_t shape = mixedBits(loss.gpus.size()) + feed.devices.size();
            for (const DeviceId d : feed.devices)
                if (nodeOf[d] != none) shape += mixedBits(m_place[nodeOf[d]] + 1);
            const bool interrupts = ofPolicy.of({feed.devices, {}}).interruptsJob();
            m_kinds.add(PartKind::PowerFeed, shape, 0, interrupts, [&](Kind& own) {
                Removal removal{std::vector<bool>(m_fabric.devices.size()), {}};
                for (const DeviceId d : feed.devices) removal.devices[d] = true;
                const Impacts impacts = impactOf(m_fabric, removal);
                std::vector<bool> isLost(m_fabric.devices.size());
                for (const DeviceId gpu : loss.gpus) isLost[gpu] = true;
                for (const DeviceId gpu : m_parts.gpus)
                    own.failure.gpusDegraded += impacts.ofDevices[gpu] == Impact::Degraded && !isLost[gpu] ? 1 : 0;
                own.failure.path = "feed=" + feed.name;
                own.failure.gpusLost = static_cast<std::int64_t>(loss.gpus.size());
                own.devices = feed.devices;
            });
        }
    }

    void addOpticalSwitches() {
        const OpticalLosses losses(m_fabric, m_parts, m_policy);
        const OpticalSwitches& switches = losses.switches();
        std::vector<std::uint64_t> shapes = shapesOf(switches);
        if (std::set(shapes.begin(), shapes.end()).size() > m_mostOptical)
            for (std::size_t s = 0; s < shapes.size(); ++s) shapes[s] = losses.of(s).gpus.size();
        for (std::size_t s = 0; s < switches.links.size(); ++s) {
            if (!losses.isUsed(s)) continue;
            m_kinds.add(PartKind::Ocs, shapes[s], 0, losses.of(s).interruptsJob(), [&](Kind& own) {
                Removal removal{{}, std::vector<bool>(m_fabric.links.size())};
                for (const LinkId l : switches.links[s]) removal.links[l] = true;
                const Impacts impacts = impactOf(m_fabric, removal);
                for (const DeviceId gpu : m_parts.gpus) {
                    own.failure.gpusLost += impacts.ofDevices[gpu] == Impact::CutOff ? 1 : 0;
                    own.failure.gpusDegraded += impacts.ofDevices[gpu] == Impact::Degraded ? 1 : 0;
                }
                own.failure.path = fmt::format("ocs={}", s + 1);
                own.links = switches.links[s];
                own.part = switches.part->id;
            });
        }
    }
    // Equal where they take equally many links of switches in equal places.
    std::vector<std::uint64_t> shapesOf(const OpticalSwitches& switches) const {
        const By<DeviceId, NodeId> nodeOf = nodesOfDevices(m_fabric, m_parts.graph);
        std::vector<std::uint64_t> shapes;
        for (const auto& links : switches.links) {
            std::map<NodeId, std::uint64_t> taken; // links by switch
            for (const LinkId l : links)
                for (const DeviceId end : {m_fabric.links.a[l], m_fabric.links.b[l]})
                    if (nodeOf[end] != none) ++taken[nodeOf[end]];
            shapes.push_back(links.size());
            for (const auto& [node, count] : taken) shapes.back() += mixedBits(m_place[node] + count);
        }
        return shapes;
    }

    const Fabric& m_fabric;
    const JobParts& m_parts;
    const FailurePolicy m_policy;
    const By<NodeId, std::uint64_t>& m_place;
    const std::size_t m_mostOptical;
    KindTable m_kinds;
};

bool isReroutedAround(PartKind kind) {
    return kind == PartKind::Nic || kind == PartKind::HostLink || (kind >= PartKind::Leaf && kind <= PartKind::Link) ||
           kind == PartKind::Ocs;
}

double serverBisection(const Fabric& fabric) { return bisection(fabric, BisectionKey::Server).upperGbps; }

// As many kinds as differ, unless they are too many to compute the bisection of each: after failures all over a fabric no two parts have
// the same surroundings.
std::vector<Kind> kindsOf(const Fabric& fabric, const JobParts& parts, FailurePolicy policy) {
    constexpr std::size_t most = 400, mostLinks = 20'000'000; // of all kinds
    const std::size_t mostHere = std::min(most, mostLinks / std::max<std::size_t>(1, fabric.links.size()));
    for (const int reach : {4, 1, 0, -1}) {
        KindFinder finder(fabric, parts, reach, reach >= 0 ? mostHere : std::numeric_limits<std::size_t>::max());
        auto kinds = finder.find();
        if (!kinds) continue;
        const std::size_t room = mostHere - std::min(mostHere, kinds->size());
        for (Kind& each : JointKinds(fabric, parts, policy, finder.places(), room).find()) kinds->push_back(std::move(each));
        return std::move(*kinds);
    }
    return {};
}

} // namespace

std::vector<SingleFailure> singleFailures(const FabricPointer& fabric, const JobParts& parts, const ReliabilityRequest& request,
                                          const TaskContext& context) {
    std::vector<Kind> kinds = kindsOf(*fabric, parts, request.policy);
    // The first piece is the bisection before.
    const auto bisections = runTasks<double>(kinds.size() + 1, context, [&](std::size_t i) {
        if (i == 0) return serverBisection(*fabric);
        const Kind& kind = kinds[i - 1];
        std::vector<bool> devices(fabric->devices.size()), links(fabric->links.size());
        for (const DeviceId d : kind.devices) devices[d] = true;
        for (const LinkId l : kind.links) links[l] = true;
        return serverBisection(*without(fabric, devices, links));
    });
    const Rates rates = ratesOf(*fabric->design, request);
    const FailuresInHorizon failures(request, parts.servers.size());
    std::vector<SingleFailure> result;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        SingleFailure& failure = kinds[k].failure;
        if (bisections[0] && bisections[k + 1] && *bisections[0] > 0) failure.bandwidthLeft = *bisections[k + 1] / *bisections[0];
        const YearlyRate rate = failures.mean(failure.kind, rates.of(failure.kind, kinds[k].part).times(request.earlyLife));
        if (rate.base) failure.perYear = *rate.base * static_cast<double>(failure.count);
        const bool usesSpares =
            isReroutedAround(failure.kind) || (failure.kind == PartKind::PowerFeed && usesAnyOf(parts, kinds[k].devices));
        if (request.isStalled() && usesSpares) failure.interruptsJob = true; // before traffic is led over them
        result.push_back(std::move(failure));
    }
    std::stable_sort(result.begin(), result.end(), [](const SingleFailure& a, const SingleFailure& b) {
        const auto key = [](const SingleFailure& each) {
            return std::tuple(-each.gpusLost, each.bandwidthLeft.value_or(1), -each.gpusDegraded, each.kind);
        };
        return key(a) < key(b);
    });
    return result;
}

} // namespace railyard
