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

void LinkShares::add(const LinkShares& other, double factor) {
    if (other.isEmpty()) return;
    aToB.resize(other.aToB.size());
    bToA.resize(other.bToA.size());
    for (std::size_t l = 0; l < aToB.size(); ++l) {
        aToB[l] += factor * other.aToB[l];
        bToA[l] += factor * other.bToA[l];
    }
}

void LinkShares::atLeast(const LinkShares& other) {
    if (other.isEmpty()) return;
    aToB.resize(other.aToB.size());
    bToA.resize(other.bToA.size());
    for (std::size_t l = 0; l < aToB.size(); ++l) {
        aToB[l] = std::max(aToB[l], other.aToB[l]);
        bToA[l] = std::max(bToA[l], other.bToA[l]);
    }
}

double Contention::of(const std::vector<GpuFlow>& flows, const LinkShares* others) const {
    const LinkShares own = sharesOf(flows);
    double most = 1;
    for (const auto direction : {&LinkShares::aToB, &LinkShares::bToA})
        for (std::size_t l = 0; l < (own.*direction).size(); ++l)
            if (const double mine = (own.*direction)[l]; mine > 0)
                most = std::max(most, mine + (others && !others->isEmpty() ? (others->*direction)[l] : 0));
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
    LinkShares shares{std::vector<double>(m_fabric.links.size()), std::vector<double>(m_fabric.links.size())};
    writeOverLinks(m_fabric, *m_graph, loads, division, shares.aToB, shares.bToA);
    for (const LinkId l : m_fabric.links.ids()) {
        const double capacity = m_fabric.speedOf(l).value() * ofNics;
        shares.aToB[l] /= capacity;
        shares.bToA[l] /= capacity;
    }
    return shares;
}

} // namespace railyard
