#include "core/routing/contention.h"

#include "core/routing/switches/bundle_links.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

namespace railyard {
namespace {

constexpr Division division = Division::PerLink;
constexpr double rounding = 1e-12; // of sums, and of sums without their parts

} // namespace

Contention::Contention(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph)
    : m_fabric(fabric),
      m_graph(std::move(graph)),
      m_ports(gpuPortsOf(fabric, *m_graph)),
      m_stages(stagesOf(*m_graph, division)),
      m_portsOfUnit(m_ports.units) {
    for (std::uint32_t unit = 0; unit < m_ports.units; ++unit) {
        const auto ports = m_ports.portsOfUnit.list(unit);
        m_portsOfUnit[unit].assign(ports.begin(), ports.end());
        std::stable_sort(m_portsOfUnit[unit].begin(), m_portsOfUnit[unit].end(),
                         [this](std::uint32_t a, std::uint32_t b) { return isBefore(a, b); });
    }
}

bool Contention::isBefore(std::uint32_t port, std::uint32_t other) const {
    const NicPort &a = m_ports.ports[port], &b = m_ports.ports[other];
    return std::pair(a.network, a.key) < std::pair(b.network, b.key);
}

LinkShares maximumOf(const LinkShares& a, const LinkShares& b) {
    LinkShares maximum;
    maximum.reserve(std::max(a.size(), b.size()));
    for (auto own = a.begin(), other = b.begin(); own != a.end() || other != b.end();) {
        if (other == b.end() || (own != a.end() && own->link < other->link)) {
            maximum.push_back(*own++);
        } else if (own == a.end() || other->link < own->link) {
            maximum.push_back(*other++);
        } else {
            maximum.push_back({own->link, std::max(own->aToB, other->aToB), std::max(own->bToA, other->bToA)});
            ++own, ++other;
        }
    }
    return maximum;
}

void SharedLinks::add(const LinkShares& shares, double weight) {
    for (const LinkShare& each : shares) {
        m_aToB[each.link] += weight * each.aToB;
        m_bToA[each.link] += weight * each.bToA;
    }
}

double SharedLinks::busiestWith(const LinkShares& flows, const LinkShares& own, double weight) const {
    double most = 1;
    auto part = own.begin();
    for (const LinkShare& each : flows) {
        while (part != own.end() && part->link < each.link) ++part;
        const LinkShare added = part != own.end() && part->link == each.link ? *part : LinkShare();
        const auto with = [&](double mine, double all, double itself) {
            const double others = all - weight * itself;
            if (mine > 0) most = std::max(most, mine + (others > rounding * all ? others : 0));
        };
        with(each.aToB, m_aToB[each.link], added.aToB);
        with(each.bToA, m_bToA[each.link], added.bToA);
    }
    return most < 1 + rounding ? 1 : most;
}

double Contention::busiestOf(const LinkShares& shares) {
    double most = 1;
    for (const LinkShare& each : shares) most = std::max({most, each.aToB, each.bToA});
    return most < 1 + rounding ? 1 : most;
}

template <class Visit>
void Contention::eachWay(const std::vector<GpuFlow>& flows, std::span<const std::uint32_t> which, Visit visit) const {
    struct Unit {
        std::vector<PortPair> ways;
        double volume = 0;
        const GpuFlow* example = nullptr;
    };
    std::vector<Unit> throughOthers;
    std::unordered_map<std::uint64_t, std::size_t> known; // pairs of units
    const auto& domain = m_fabric.devices.hbDomain;
    for (const std::uint32_t f : which) {
        const GpuFlow& flow = flows[f];
        if (domain[flow.from] != none && domain[flow.from] == domain[flow.to]) continue;
        const std::vector<PortPair> own = portPairs(m_ports, flow.from, flow.to, false);
        for (const PortPair& way : own) visit(way, flow.volume, flow, false);
        const auto from = m_ports.unitOf[flow.from], to = m_ports.unitOf[flow.to];
        if (!own.empty() || from == none || to == none) continue;
        const auto [at, isNew] = known.try_emplace(std::uint64_t{from} << 32 | to, throughOthers.size());
        if (isNew) throughOthers.push_back({waysOfUnits(from, to), 0, &flow});
        Unit& unit = throughOthers[at->second];
        unit.volume += flow.volume;
        if (unit.ways.empty()) // what way there is depends on the GPUs
            for (const PortPair& way : portPairs(m_ports, flow.from, flow.to, true)) visit(way, flow.volume, flow, true);
    }
    for (const Unit& unit : throughOthers)
        for (const PortPair& way : unit.ways) visit(way, unit.volume, *unit.example, true);
}

std::vector<PortPair> Contention::waysOfUnits(std::uint32_t from, std::uint32_t to) const {
    const auto isBeforeOther = [this](std::uint32_t a, std::uint32_t b) { return isBefore(a, b); };
    const auto& arriving = m_portsOfUnit[to];
    std::vector<PortPair> ways;
    for (const std::uint32_t out : m_portsOfUnit[from]) {
        const auto [first, last] = std::equal_range(arriving.begin(), arriving.end(), out, isBeforeOther);
        for (auto in = first; in != last; ++in) ways.push_back({out, *in, 1});
    }
    for (PortPair& way : ways) way.share /= static_cast<double>(ways.size());
    return ways;
}

// Through the NICs of other GPUs an owner gets no more than the share of its GPUs.
double Contention::shareOfUnit(std::uint32_t unit, const std::set<DeviceId>& members) const {
    const auto all = static_cast<double>(m_ports.gpusOfUnit.list(unit).size());
    return std::max<double>(1, static_cast<double>(members.size())) / all;
}

std::vector<double> Contention::nicLoads(const std::vector<GpuFlow>& flows, const std::vector<std::uint32_t>& owners,
                                         std::uint32_t count) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> flowsOf;
    for (std::uint32_t f = 0; f < flows.size(); ++f)
        if (owners[f] < count) flowsOf.emplace_back(owners[f], f);
    const Lists ofOwner(count, flowsOf);
    struct Used {
        std::size_t port; // with the direction
        double load;
    };
    std::vector<Used> throughOthers;
    std::vector<double> most(count), loads(m_ports.ports.size() * 2);
    std::vector<std::size_t> touched;
    const auto add = [&](std::size_t port, double load) {
        if (loads[port] == 0) touched.push_back(port);
        loads[port] += load;
    };
    for (std::uint32_t owner = 0; owner < count; ++owner) {
        std::map<std::uint32_t, std::set<DeviceId>> members; // by unit, where some go through others
        eachWay(flows, ofOwner.list(owner), [&](const PortPair& way, double volume, const GpuFlow& flow, bool isThroughOthers) {
            for (const auto& [port, isDown] : {std::pair(way.from, false), {way.to, true}}) {
                const double load = volume * way.share / m_ports.ports[port].speed.value();
                const std::size_t at = std::size_t{port} * 2 + (isDown ? 1 : 0);
                if (isThroughOthers)
                    throughOthers.push_back({at, load});
                else
                    add(at, load);
            }
            if (isThroughOthers)
                for (const DeviceId end : {flow.from, flow.to}) members[m_ports.unitOf[end]];
        });
        if (!members.empty())
            for (const std::uint32_t f : ofOwner.list(owner))
                if (const auto own = members.find(m_ports.unitOf[flows[f].from]); own != members.end()) own->second.insert(flows[f].from);
        for (const Used& each : throughOthers) {
            const auto feeders = m_ports.gpusOfNic.list(m_ports.ports[each.port / 2].nic);
            const std::uint32_t unit = m_ports.unitOf[feeders.front()]; // ports of units have one
            add(each.port, each.load / shareOfUnit(unit, members[unit]));
        }
        for (const std::size_t port : touched) most[owner] = std::max(most[owner], std::exchange(loads[port], 0));
        touched.clear();
        throughOthers.clear();
    }
    return most;
}

LinkShares Contention::sharesOf(const std::vector<GpuFlow>& flows, double nicLoad) const {
    std::vector<double> up(m_ports.ports.size()), down(m_ports.ports.size());
    std::vector<PairDemand> pairs;
    std::vector<std::uint32_t> all(flows.size());
    std::iota(all.begin(), all.end(), 0U);
    eachWay(flows, all, [&](const PortPair& way, double ofFlow, const GpuFlow&, bool) {
        const double volume = ofFlow * way.share;
        up[way.from] += volume;
        down[way.to] += volume;
        if (m_ports.ports[way.from].node != m_ports.ports[way.to].node)
            pairs.push_back({m_ports.ports[way.from].node, m_ports.ports[way.to].node, volume});
    });
    double ofNics = 0;
    for (std::size_t p = 0; p < up.size(); ++p) ofNics = std::max(ofNics, std::max(up[p], down[p]) / m_ports.ports[p].speed.value());
    if (nicLoad <= 0) nicLoad = ofNics;
    if (ofNics <= 0) return {};
    const NodeLoads loads = loadsBetweenNodes(*m_graph, {{}, mergedPairs(std::move(pairs))}, division, m_stages ? &*m_stages : nullptr);
    std::vector<double> aToB(m_fabric.links.size()), bToA(m_fabric.links.size());
    writeOverLinks(m_fabric, *m_graph, loads, division, aToB, bToA);
    for (std::size_t p = 0; p < up.size(); ++p) addAtNic(m_fabric, m_ports.ports[p].link, m_ports.ports[p].nic, up[p], down[p], aToB, bToA);
    LinkShares shares;
    for (const LinkId l : m_fabric.links.ids()) {
        if (aToB[l] <= 0 && bToA[l] <= 0) continue;
        const double capacity = m_fabric.speedOf(l).value() * nicLoad;
        shares.push_back({l, aToB[l] / capacity, bToA[l] / capacity});
    }
    shares.shrink_to_fit(); // they may be kept
    return shares;
}

} // namespace railyard
