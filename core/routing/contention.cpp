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

double Contention::of(const std::vector<GpuFlow>& flows) const {
    std::vector<double> up(m_ports.ports.size()), down(m_ports.ports.size());
    std::vector<PairDemand> pairs;
    const auto& domain = m_fabric.devices.hbDomain;
    for (const GpuFlow& flow : flows) {
        if (domain[flow.from] != none && domain[flow.from] == domain[flow.to]) continue;
        const auto ways = portPairs(m_ports, flow.from, flow.to, false);
        if (ways.empty()) return 1;
        for (const PortPair& way : ways) {
            const double volume = flow.volume * way.share;
            up[way.from] += volume;
            down[way.to] += volume;
            if (m_ports.ports[way.from].node != m_ports.ports[way.to].node)
                pairs.push_back({m_ports.ports[way.from].node, m_ports.ports[way.to].node, volume});
        }
    }
    double ofNics = 0, between = 0;
    for (std::size_t p = 0; p < up.size(); ++p) ofNics = std::max(ofNics, std::max(up[p], down[p]) / m_ports.ports[p].speed.value());
    if (ofNics <= 0 || pairs.empty()) return 1;
    const NodeLoads loads = loadsBetweenNodes(*m_graph, {{}, mergedPairs(std::move(pairs))}, division, m_stages ? &*m_stages : nullptr);
    if (!loads.unreachable.empty()) return 1;
    std::vector<double> aToB(m_fabric.links.size()), bToA(m_fabric.links.size());
    writeOverLinks(m_fabric, *m_graph, loads, division, aToB, bToA);
    for (const LinkId l : m_fabric.links.ids())
        if (const double most = std::max(aToB[l], bToA[l]); most > 0) between = std::max(between, most / m_fabric.speedOf(l).value());
    return std::max(1.0, between / ofNics);
}

} // namespace railyard
