#include "core/routing/contention.h"

#include "core/routing/switches/bundle_links.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace railyard {
namespace {

constexpr Division division = Division::PerLink;
constexpr double rounding = 1e-12; // of sums, and of sums without their parts

} // namespace

Contention::Contention(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph)
    : m_fabric(fabric),
      m_graph(std::move(graph)),
      m_ports(gpuPortsOf(fabric, *m_graph)),
      m_stages(stagesOf(*m_graph, division)) {}

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

std::vector<PortPair> Contention::waysOf(const GpuFlow& flow, bool* isThroughOthers) const {
    const auto& domain = m_fabric.devices.hbDomain;
    if (domain[flow.from] != none && domain[flow.from] == domain[flow.to]) return {};
    auto ways = portPairs(m_ports, flow.from, flow.to, false);
    if (!ways.empty()) return ways;
    if (isThroughOthers) *isThroughOthers = true;
    return waysOfUnits(flow);
}

std::vector<PortPair> Contention::waysOfUnits(const GpuFlow& flow) const {
    const auto from = m_ports.unitOf[flow.from], to = m_ports.unitOf[flow.to];
    if (from == none || to == none) return {};
    std::vector<PortPair> ways;
    for (const auto out : m_ports.portsOfUnit.of(from))
        for (const auto in : m_ports.portsOfUnit.of(to)) {
            const NicPort &a = m_ports.ports[out], &b = m_ports.ports[in];
            if (a.network == b.network && a.key == b.key) ways.push_back({out, in, 1});
        }
    if (ways.empty()) return portPairs(m_ports, flow.from, flow.to, true);
    for (PortPair& way : ways) way.share /= static_cast<double>(ways.size());
    return ways;
}

// Through the NICs of other GPUs an owner gets no more than the share of its GPUs.
double Contention::shareOfUnit(std::uint32_t unit, const std::set<DeviceId>& members) const {
    const auto all = static_cast<double>(m_ports.gpusOfUnit.of(unit).size());
    return std::max<double>(1, static_cast<double>(members.size())) / all;
}

std::vector<double> Contention::nicLoads(const std::vector<GpuFlow>& flows, const std::vector<std::uint32_t>& owners,
                                         std::uint32_t count) const {
    struct Used {
        std::uint64_t port; // with the direction
        std::uint32_t owner;
        double load;
        bool isThroughOthers;
    };
    std::vector<Used> used;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<DeviceId>> members; // by owner and unit, where some go through others
    for (std::size_t f = 0; f < flows.size(); ++f) {
        if (owners[f] >= count) continue;
        bool isThroughOthers = false;
        for (const PortPair& way : waysOf(flows[f], &isThroughOthers))
            for (const auto& [port, isDown] : {std::pair(way.from, false), {way.to, true}})
                used.push_back({std::uint64_t{port} << 1 | (isDown ? 1U : 0U), owners[f],
                                flows[f].volume * way.share / m_ports.ports[port].speed.value(), isThroughOthers});
        if (isThroughOthers)
            for (const DeviceId end : {flows[f].from, flows[f].to}) members[{owners[f], m_ports.unitOf[end]}];
    }
    for (std::size_t f = 0; !members.empty() && f < flows.size(); ++f)
        if (const auto own = members.find({owners[f], m_ports.unitOf[flows[f].from]}); own != members.end())
            own->second.insert(flows[f].from);
    for (Used& each : used)
        if (each.isThroughOthers) {
            const auto feeders = m_ports.gpusOfNic.of(m_ports.ports[each.port >> 1].nic);
            const std::uint32_t unit = m_ports.unitOf[feeders.front()]; // ports of units have one
            each.load /= shareOfUnit(unit, members[{each.owner, unit}]);
        }
    std::stable_sort(used.begin(), used.end(),
                     [](const Used& x, const Used& y) { return std::tie(x.owner, x.port) < std::tie(y.owner, y.port); });
    std::vector<double> most(count);
    for (std::size_t i = 0; i < used.size();) {
        const Used first = used[i];
        double sum = 0;
        for (; i < used.size() && used[i].owner == first.owner && used[i].port == first.port; ++i) sum += used[i].load;
        most[first.owner] = std::max(most[first.owner], sum);
    }
    return most;
}

LinkShares Contention::sharesOf(const std::vector<GpuFlow>& flows, double nicLoad) const {
    std::vector<double> up(m_ports.ports.size()), down(m_ports.ports.size());
    std::vector<PairDemand> pairs;
    for (const GpuFlow& flow : flows)
        for (const PortPair& way : waysOf(flow)) {
            const double volume = flow.volume * way.share;
            up[way.from] += volume;
            down[way.to] += volume;
            if (m_ports.ports[way.from].node != m_ports.ports[way.to].node)
                pairs.push_back({m_ports.ports[way.from].node, m_ports.ports[way.to].node, volume});
        }
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
