#include "core/routing/contention.h"

#include "core/routing/gpus/nic_demands.h"
#include "core/routing/switches/bundle_links.h"

#include <algorithm>

namespace railyard {
namespace {

constexpr Division division = Division::PerLink;

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
    constexpr double rounding = 1e-12; // of sums without their parts
    double most = 1;
    auto part = own.begin();
    for (const LinkShare& each : flows) {
        while (part->link < each.link) ++part;
        const auto with = [&](double mine, double all, double added) {
            const double others = all - weight * added;
            if (mine > 0) most = std::max(most, mine + (others > rounding * all ? others : 0));
        };
        with(each.aToB, m_aToB[each.link], part->aToB);
        with(each.bToA, m_bToA[each.link], part->bToA);
    }
    return most;
}

double Contention::busiestOf(const LinkShares& shares) {
    double most = 1;
    for (const LinkShare& each : shares) most = std::max({most, each.aToB, each.bToA});
    return most;
}

LinkShares Contention::sharesOf(const std::vector<GpuFlow>& flows) const {
    std::vector<double> up(m_ports.ports.size()), down(m_ports.ports.size());
    std::vector<PairDemand> pairs;
    const auto& domain = m_fabric.devices.hbDomain;
    for (const GpuFlow& flow : flows) {
        if (domain[flow.from] != none && domain[flow.from] == domain[flow.to]) continue;
        const auto ways = portPairs(m_ports, flow.from, flow.to, false);
        if (ways.empty()) return {};
        for (const PortPair& way : ways) {
            const double volume = flow.volume * way.share;
            up[way.from] += volume;
            down[way.to] += volume;
            if (m_ports.ports[way.from].node != m_ports.ports[way.to].node)
                pairs.push_back({m_ports.ports[way.from].node, m_ports.ports[way.to].node, volume});
        }
    }
    double ofNics = 0;
    for (std::size_t p = 0; p < up.size(); ++p) ofNics = std::max(ofNics, std::max(up[p], down[p]) / m_ports.ports[p].speed.value());
    if (ofNics <= 0 || pairs.empty()) return {};
    const NodeLoads loads = loadsBetweenNodes(*m_graph, {{}, mergedPairs(std::move(pairs))}, division, m_stages ? &*m_stages : nullptr);
    if (!loads.unreachable.empty()) return {};
    std::vector<double> aToB(m_fabric.links.size()), bToA(m_fabric.links.size());
    writeOverLinks(m_fabric, *m_graph, loads, division, aToB, bToA);
    LinkShares shares;
    for (const LinkId l : m_fabric.links.ids()) {
        if (aToB[l] <= 0 && bToA[l] <= 0) continue;
        const double capacity = m_fabric.speedOf(l).value() * ofNics;
        shares.push_back({l, aToB[l] / capacity, bToA[l] / capacity});
    }
    shares.shrink_to_fit(); // they may be kept
    return shares;
}

} // namespace railyard
