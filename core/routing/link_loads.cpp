#include "core/routing/link_loads.h"

#include "core/routing/flow_paths.h"
#include "core/routing/gpus/hb_loads.h"
#include "core/routing/gpus/pair_loads.h"
#include "core/routing/gpus/regular_loads.h"
#include "core/routing/switches/bundle_links.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace railyard {
namespace {

class LoadCount {
public:
    LoadCount(const Fabric& fabric, const RoutingOptions& options, const std::vector<DeviceId>& group = {})
        : m_fabric(fabric),
          m_options(options),
          m_graph(trafficGraphOf(fabric)),
          m_ports(group.empty() ? gpuPortsOf(fabric, m_graph) : portsOfCommunicator(fabric, m_graph, group)),
          m_hb(fabric, m_ports),
          m_portUp(m_ports.ports.size()),
          m_portDown(m_ports.ports.size()) {
        m_loads.aToB.assign(fabric.links.size(), 0);
        m_loads.bToA.assign(fabric.links.size(), 0);
        m_loads.ofGpu = m_ports.fastest;
    }

    LinkLoads ofAllToAll() {
        if (m_ports.gpus.size() < 2) return std::move(m_loads);
        const double each = 1.0 / static_cast<double>(m_ports.gpus.size() - 1);
        for (std::uint32_t domain = 0; domain < m_fabric.hbDomains.size(); ++domain) insideDomain(domain, each);
        // In pairs, which are whole numbers for the most part, until all is counted: sums of millions of them stay exact.
        PairLoads pairs = loadsOfPairs(m_graph, m_ports, m_options.isForwarded, division());
        for (auto* loads : {&pairs.between.up, &pairs.between.down, &pairs.portUp, &pairs.portDown})
            for (double& load : *loads) load = std::abs(load) < rounding ? 0 : load * each;
        m_portUp = std::move(pairs.portUp);
        m_portDown = std::move(pairs.portDown);
        if (m_options.isForwarded) {
            detourInside(pairs, each);
            forwardInside(std::move(pairs.forwarded), each);
        }
        countUnreached(pairs);
        writeOverLinks(m_fabric, m_graph, pairs.between, division(), m_loads.aToB, m_loads.bToA);
        finish(true);
        return std::move(m_loads);
    }

    Result<LinkLoads> ofFlows(const std::vector<GpuFlow>& flows);

private:
    static constexpr double rounding = 1e-9; // of what was added and taken back
    Division division() const { return m_options.routing == Routing::Adaptive ? Division::PerCapacity : Division::PerLink; }
    double gpusOf(std::uint32_t domain) const { return static_cast<double>(m_ports.gpusOfDomain.list(domain).size()); }
    // A pair that loses a part of its traffic counts; what is less than rounding of `all` does not.
    static std::int64_t wholePairs(double lost, double all = 0) {
        return static_cast<std::int64_t>(std::ceil(lost - std::max(1e-6, 1e-12 * all)));
    }

    void insideDomain(std::uint32_t domain, double each) {
        const auto gpus = m_ports.gpusOfDomain.list(domain);
        const bool isJoined = std::all_of(gpus.begin(), gpus.end(), [&](DeviceId gpu) { return m_hb.isJoined(gpu, gpus.front()); });
        if (isJoined) {
            m_hb.addToAll(domain, each);
            m_insidePairs += gpusOf(domain) * (gpusOf(domain) - 1);
            return;
        }
        for (const auto from : gpus)
            for (const auto to : gpus) {
                if (from == to || !m_hb.isJoined(from, to)) continue;
                m_hb.add(from, to, each);
                m_insidePairs += 1;
            }
    }

    // From the NICs it came over to the GPU it is for.
    void detourInside(const PairLoads& pairs, double each) {
        const auto lost = [&](std::uint32_t kind, std::uint32_t port) {
            const auto known = pairs.lostAt.find({kind, port});
            return known == pairs.lostAt.end() ? 0.0 : known->second;
        };
        for (const Detour& detour : detoursOf(m_fabric, m_ports, lost)) {
            const auto ports = m_ports.portsOfUnit.list(m_ports.unitOf[detour.gpu]);
            for (std::size_t place = 0; place < ports.size(); ++place) handOver(ports[place], detour.gpu, detour.over[place] * each, false);
        }
    }
    // Between a GPU and the GPUs that feed a NIC, evenly; nothing where it feeds the NIC itself.
    void handOver(std::uint32_t port, DeviceId gpu, double volume, bool outwards) {
        const auto users = m_ports.gpusOfNic.list(m_ports.ports[port].nic);
        if (users.empty() || std::find(users.begin(), users.end(), gpu) != users.end()) return;
        for (const auto user : users) {
            const double part = volume / static_cast<double>(users.size());
            outwards ? m_hb.add(gpu, user, part) : m_hb.add(user, gpu, part);
        }
    }
    bool isOn(DeviceId gpu, const PairLoads::Forwarded& lane) const {
        const auto own = m_ports.portsOfGpu.list(gpu);
        return std::any_of(own.begin(), own.end(), [&](std::uint32_t p) {
            return m_ports.ports[p].rail == lane.rail && m_ports.ports[p].network == m_ports.ports[lane.port].network;
        });
    }
    // GPUs without a port of their own on a rail have even parts in what their unit forwards to it.
    void forwardInside(std::vector<PairLoads::Forwarded> lanes, double each) {
        const auto placeOf = [](const PairLoads::Forwarded& lane) { return std::pair(lane.port, lane.rail); };
        std::stable_sort(lanes.begin(), lanes.end(), [&](const auto& a, const auto& b) { return placeOf(a) < placeOf(b); });
        for (std::size_t first = 0, next = 0; first < lanes.size(); first = next) {
            PairLoads::Forwarded& lane = lanes[first];
            for (next = first + 1; next < lanes.size() && placeOf(lanes[next]) == placeOf(lane); ++next) lane.volume += lanes[next].volume;
            const auto feeders = m_ports.gpusOfNic.list(m_ports.ports[lane.port].nic);
            const auto unit = feeders.empty() ? none : m_ports.unitOf[feeders.front()];
            if (unit == none || std::abs(lane.volume) < rounding) continue;
            const auto gpus = m_ports.gpusOfUnit.list(unit);
            const auto isOff = [&](DeviceId gpu) { return !isOn(gpu, lane); };
            const auto others = static_cast<double>(std::count_if(gpus.begin(), gpus.end(), isOff));
            for (const DeviceId gpu : gpus)
                if (isOff(gpu)) handOver(lane.port, gpu, lane.volume * each / others, true);
        }
    }

    void countUnreached(const PairLoads& pairs) {
        const double all = static_cast<double>(m_ports.gpus.size());
        m_loads.unreachablePairs = wholePairs(all * (all - 1) - m_insidePairs - pairs.served, all * all);
        if (pairs.disconnected)
            m_loads.unreachableExample =
                fmt::format("there is no up-down path from {} to {}", m_fabric.devicePath(m_graph.device[pairs.disconnected->first]),
                            m_fabric.devicePath(m_graph.device[pairs.disconnected->second]));
        if (m_loads.unreachablePairs > 0 && m_loads.unreachableExample.empty()) findExample();
    }
    // Two GPUs of every kind stand for all: kinds by the networks of a GPU's ports, or of its unit's, and whether an HB fabric
    // joins it to its domain.
    void findExample();
    bool isSameDomain(DeviceId a, DeviceId b) const {
        return m_fabric.devices.hbDomain[a] != none && m_fabric.devices.hbDomain[a] == m_fabric.devices.hbDomain[b];
    }
    std::string why(DeviceId from, DeviceId to) const {
        const auto hasPorts = [&](DeviceId gpu) { return !m_ports.portsOfGpu.list(gpu).empty(); };
        std::string reason = "their NICs are not connected by a network";
        if (isSameDomain(from, to))
            reason = "they are not connected by HB links";
        else if (m_options.isForwarded)
            reason = "their HB domains are not connected by a network";
        else if (!hasPorts(from) || !hasPorts(to))
            reason = fmt::format("{} has no NIC port connected to a switch", m_fabric.devicePath(hasPorts(from) ? to : from));
        else if (!portPairs(m_ports, from, to, true).empty())
            reason = "their NICs are in separate networks; forwarding through the HB domain (PXN) would connect them";
        return fmt::format("{} to {}: {}", m_fabric.devicePath(from), m_fabric.devicePath(to), reason);
    }
    void noPath(DeviceId from, DeviceId to, double share = 1, const std::string& reason = {}) {
        m_lost += share;
        if (!m_loads.unreachableExample.empty()) return;
        m_loads.unreachableExample =
            reason.empty() ? why(from, to) : fmt::format("{} to {}: {}", m_fabric.devicePath(from), m_fabric.devicePath(to), reason);
    }

    void addFlow(const GpuFlow& flow, std::vector<PortFlow>& across) {
        if (flow.from == flow.to || flow.volume <= 0) return;
        if (isSameDomain(flow.from, flow.to)) {
            if (!m_hb.isJoined(flow.from, flow.to)) return noPath(flow.from, flow.to);
            return m_hb.add(flow.from, flow.to, flow.volume);
        }
        if (flow.out != none) return across.push_back({portAt(flow.out), portAt(flow.in), flow.from, flow.to, flow.volume, 1});
        const auto pairs = portPairs(m_ports, flow.from, flow.to, m_options.isForwarded);
        if (pairs.empty()) return noPath(flow.from, flow.to);
        for (const PortPair& pair : pairs) across.push_back({pair.from, pair.to, flow.from, flow.to, flow.volume * pair.share, pair.share});
    }
    std::uint32_t portAt(LinkId link) const { // they stand in the order of their cables
        const auto found = std::lower_bound(m_ports.ports.begin(), m_ports.ports.end(), link,
                                            [](const NicPort& port, std::uint32_t wanted) { return port.link < wanted; });
        return static_cast<std::uint32_t>(found - m_ports.ports.begin());
    }
    void carry(const PortFlow& flow, bool overHostLinks) {
        if (overHostLinks) {
            m_portUp[flow.from] += flow.volume;
            m_portDown[flow.to] += flow.volume;
        }
        handOver(flow.from, flow.gpuFrom, flow.volume, true);
        handOver(flow.to, flow.gpuTo, flow.volume, false);
        feed(flow.from, flow.gpuFrom, flow.volume, m_fromGpu);
        feed(flow.to, flow.gpuTo, flow.volume, m_toGpu);
    }
    // What a NIC gets from the GPUs that feed it: from the flow's own where it is one of them, else from all evenly.
    void feed(std::uint32_t port, DeviceId gpu, double volume, std::map<std::pair<std::uint32_t, std::uint32_t>, double>& into) const {
        const DeviceId nic = m_ports.ports[port].nic;
        const auto users = m_ports.gpusOfNic.list(nic);
        if (std::find(users.begin(), users.end(), gpu) != users.end())
            into[{gpu, nic}] += volume;
        else
            for (const auto user : users) into[{user, nic}] += volume / static_cast<double>(users.size());
    }

    void finish(bool isAllToAll) {
        for (std::size_t p = 0; p < m_portUp.size(); ++p)
            addAtNic(m_fabric, m_ports.ports[p].link, m_ports.ports[p].nic, m_portUp[p], m_portDown[p], m_loads.aToB, m_loads.bToA);
        m_hb.writeTo(m_loads.aToB, m_loads.bToA);
        writePcie(isAllToAll);
    }
    // All-to-all: what a NIC carries its GPUs bring evenly. Flows: as they were fed.
    void writePcie(bool isAllToAll) {
        std::vector<double> out(m_fabric.devices.size()), in(out.size()); // of NICs
        for (std::size_t p = 0; isAllToAll && p < m_portUp.size(); ++p) {
            out[m_ports.ports[p].nic] += m_portUp[p];
            in[m_ports.ports[p].nic] += m_portDown[p];
        }
        const auto fed = [](const auto& of, DeviceId gpu, DeviceId nic) {
            const auto own = of.find({gpu, nic});
            return own == of.end() ? 0.0 : own->second;
        };
        for (const LinkId l : m_fabric.links.ids()) {
            if (m_fabric.links.tier[l] != LinkTier::Pcie) continue;
            const DeviceId gpu = m_fabric.links.a[l], nic = m_fabric.links.b[l];
            if (m_ports.unitOf[gpu] == none) continue; // of another group
            const auto users = static_cast<double>(m_ports.gpusOfNic.list(nic).size());
            m_loads.aToB[l] = isAllToAll ? out[nic] / users : fed(m_fromGpu, gpu, nic);
            m_loads.bToA[l] = isAllToAll ? in[nic] / users : fed(m_toGpu, gpu, nic);
        }
    }

    const Fabric& m_fabric;
    const RoutingOptions& m_options;
    const SwitchGraph m_graph;
    const GpuPorts m_ports;
    HbLoadTotals m_hb;
    std::vector<double> m_portUp, m_portDown;
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> m_fromGpu, m_toGpu; // of flows, by GPU and NIC
    double m_lost = 0;                                                            // of flows, by their number
    double m_insidePairs = 0;                                                     // of all-to-all: served by HB fabrics
    LinkLoads m_loads;
};

Result<LinkLoads> LoadCount::ofFlows(const std::vector<GpuFlow>& flows) {
    const bool isHashed = m_options.routing == Routing::Hash;
    std::vector<PairDemand> pairs;
    std::vector<PortFlow> across;
    for (const GpuFlow& flow : flows) addFlow(flow, across);
    for (const PortFlow& each : across) pairs.push_back({m_ports.ports[each.from].node, m_ports.ports[each.to].node, each.volume});
    NodeLoads between = isHashed ? NodeLoads() : loadsBetweenNodes(m_graph, {{}, mergedPairs(std::move(pairs))}, division());
    if (isHashed) {
        auto hashed = hashedLoads(m_fabric, m_graph, m_ports, across, m_options);
        if (!hashed) return hashed.errors();
        between.unreachable = std::move(hashed->unreachable);
        m_loads.aToB = std::move(hashed->aToB);
        m_loads.bToA = std::move(hashed->bToA);
    }
    for (const PortFlow& each : across) {
        const std::pair ends(m_ports.ports[each.from].node, m_ports.ports[each.to].node);
        if (std::binary_search(between.unreachable.begin(), between.unreachable.end(), ends))
            noPath(each.gpuFrom, each.gpuTo, each.share, "there is no up-down path between their switches");
        else
            carry(each, !isHashed);
    }
    m_loads.unreachablePairs = wholePairs(m_lost);
    if (!isHashed) writeOverLinks(m_fabric, m_graph, between, division(), m_loads.aToB, m_loads.bToA);
    finish(false);
    return std::move(m_loads);
}

void LoadCount::findExample() {
    std::map<std::vector<std::uint32_t>, std::vector<DeviceId>> kinds;
    for (const DeviceId gpu : m_ports.gpus) {
        const auto unit = m_ports.unitOf[gpu];
        const DomainId domain = m_fabric.devices.hbDomain[gpu];
        std::vector<std::uint32_t> kind;
        for (const auto p : m_ports.portsOfGpu.list(gpu)) kind.push_back(m_ports.ports[p].network);
        if (m_options.isForwarded && unit != none)
            for (const auto p : m_ports.portsOfUnit.list(unit)) kind.push_back(m_ports.ports[p].network);
        std::sort(kind.begin(), kind.end());
        kind.erase(std::unique(kind.begin(), kind.end()), kind.end());
        const bool isWhole = unit != none && m_ports.gpusOfUnit.list(unit).size() == m_ports.gpusOfDomain.list(domain).size();
        if (!isWhole) kind.push_back(unit == none ? none : none - 1 - unit); // the first of every broken piece
        auto& two = kinds[kind];
        if (two.empty() || (two.size() < 2 && !isSameDomain(two[0], gpu))) two.push_back(gpu);
    }
    std::vector<DeviceId> some;
    for (const auto& [kind, two] : kinds) some.insert(some.end(), two.begin(), two.end());
    constexpr std::size_t most = 2000; // to be shown one is enough
    some.resize(std::min(some.size(), most));
    for (const auto from : some)
        for (const auto to : some) {
            if (from == to) continue;
            const bool isReached =
                isSameDomain(from, to) ? m_hb.isJoined(from, to) : !portPairs(m_ports, from, to, m_options.isForwarded).empty();
            if (!isReached) return void(m_loads.unreachableExample = why(from, to));
        }
}

} // namespace

double LinkLoads::utilisation(const Fabric& fabric, LinkId link) const {
    return std::max(aToB[link], bToA[link]) * ofGpu.value() / fabric.speedOf(link).value();
}

LinkLoads loadsOfAllPairs(const Fabric& fabric, const RoutingOptions& options, const std::vector<DeviceId>& group) {
    return LoadCount(fabric, options, group).ofAllToAll();
}

Result<LinkLoads> linkLoads(const Fabric& fabric, const GpuTraffic& traffic, const RoutingOptions& options) {
    if (!traffic.isAllToAll) return LoadCount(fabric, options).ofFlows(traffic.flows);
    if (!traffic.group.empty()) return loadsOfAllPairs(fabric, options, traffic.group);
    if (options.routing != Routing::Hash) {
        if (options.isForwarded) return loadsOfAllPairs(fabric, options);
        const Division division = options.routing == Routing::Adaptive ? Division::PerCapacity : Division::PerLink;
        auto regular = regularAllToAll(fabric, trafficGraphOf(fabric), division);
        return regular ? std::move(*regular) : loadsOfAllPairs(fabric, options);
    }
    auto flows = everyPair(fabric, options);
    if (!flows) return flows.errors();
    return LoadCount(fabric, options).ofFlows(*flows);
}

} // namespace railyard
