#include "core/routing/gpus/hb_loads.h"

#include <algorithm>

namespace railyard {

HbLoadTotals::HbLoadTotals(const Fabric& fabric, const GpuPorts& ports)
    : m_fabric(fabric),
      m_ports(ports),
      m_firstArc(fabric.devices.size() + 1),
      m_isStar(fabric.hbDomains.size(), true),
      m_out(fabric.devices.size()),
      m_in(fabric.devices.size()) {
    const LinkTable& links = fabric.links;
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Hb) ++m_firstArc[links.a[l] + 1], ++m_firstArc[links.b[l] + 1];
    for (const DeviceId d : fabric.devices.ids()) m_firstArc[d + 1] += m_firstArc[d];
    m_arcs.resize(m_firstArc.back());
    std::vector<std::uint32_t> at(m_firstArc.begin(), m_firstArc.end() - 1);
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Hb) {
            m_arcs[at[links.a[l]]++] = {links.b[l], l, true};
            m_arcs[at[links.b[l]]++] = {links.a[l], l, false};
        }
    for (std::uint32_t domain = 0; domain < m_isStar.size(); ++domain) {
        const auto gpus = ports.gpusOfDomain.list(domain);
        for (const DeviceId gpu : gpus) {
            const auto own = arcsOf(gpu), first = arcsOf(gpus.front());
            const bool isSame = std::equal(own.begin(), own.end(), first.begin(), first.end(), [&](const Arc& x, const Arc& y) {
                return x.device == y.device && !fabric.devices.isGpu(x.device) && fabric.links.speed[x.link] == fabric.links.speed[y.link];
            });
            m_isStar[domain] = m_isStar[domain] && isSame;
        }
    }
}

bool HbLoadTotals::isJoined(DeviceId from, DeviceId to) const {
    return m_ports.unitOf[from] != none && m_ports.unitOf[from] == m_ports.unitOf[to];
}

void HbLoadTotals::add(DeviceId from, DeviceId to, double volume) {
    if (from == to || volume == 0) return;
    if (m_isStar[m_fabric.devices.hbDomain[from]]) {
        m_out[from] += volume;
        m_in[to] += volume;
    } else {
        m_towards[to][from] += volume;
    }
}

void HbLoadTotals::addToAll(std::uint32_t domain, double volume) {
    const auto gpus = m_ports.gpusOfDomain.list(domain);
    for (const DeviceId gpu : gpus) {
        if (m_isStar[domain]) {
            m_out[gpu] += volume * static_cast<double>(gpus.size() - 1);
            m_in[gpu] += volume * static_cast<double>(gpus.size() - 1);
        } else {
            for (const auto other : gpus) add(gpu, other, volume);
        }
    }
}

void HbLoadTotals::writeStar(std::uint32_t domain, std::vector<double>& aToB, std::vector<double>& bToA) const {
    for (const DeviceId gpu : m_ports.gpusOfDomain.list(domain)) {
        const auto arcs = arcsOf(gpu);
        for (const Arc& arc : arcs) {
            (arc.isForth ? aToB : bToA)[arc.link] += m_out[gpu] / static_cast<double>(arcs.size());
            (arc.isForth ? bToA : aToB)[arc.link] += m_in[gpu] / static_cast<double>(arcs.size());
        }
    }
}

// Outwards from the destination for the distances, then inwards with what is sent, farthest first.
void HbLoadTotals::writeShortestPaths(DeviceId to, const std::map<DeviceId, double>& from, std::vector<double>& aToB,
                                      std::vector<double>& bToA) const {
    constexpr int unknown = -1;
    m_hops.resize(m_fabric.devices.size(), unknown);
    m_volume.resize(m_fabric.devices.size());
    std::vector<DeviceId> order{to};
    m_hops[to] = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const Arc& arc : arcsOf(order[i]))
            if (m_hops[arc.device] == unknown) m_hops[arc.device] = m_hops[order[i]] + 1, order.push_back(arc.device);
    for (const auto& [device, volume] : from)
        if (m_hops[device] != unknown) m_volume[device] = volume;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const double here = m_volume[*it];
        if (here == 0 || *it == to) continue;
        const int closer = m_hops[*it] - 1;
        const auto leadsOn = [&](const Arc& arc) { return m_hops[arc.device] == closer; };
        const auto arcs = arcsOf(*it);
        const auto nextHops = static_cast<double>(std::count_if(arcs.begin(), arcs.end(), leadsOn));
        for (const Arc& arc : arcs) {
            if (!leadsOn(arc)) continue;
            (arc.isForth ? aToB : bToA)[arc.link] += here / nextHops;
            m_volume[arc.device] += here / nextHops;
        }
    }
    for (const DeviceId device : order) m_hops[device] = unknown, m_volume[device] = 0;
}

void HbLoadTotals::writeTo(std::vector<double>& aToB, std::vector<double>& bToA) const {
    for (std::uint32_t domain = 0; domain < m_isStar.size(); ++domain)
        if (m_isStar[domain]) writeStar(domain, aToB, bToA);
    for (const auto& [to, from] : m_towards) writeShortestPaths(to, from, aToB, bToA);
}

} // namespace railyard
