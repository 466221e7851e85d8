#include "core/collective/communicator/fabric_index.h"

#include <set>

namespace railyard {
namespace {

Transport transportOf(const Fabric& fabric) {
    std::set<std::uint32_t> parts;
    for (const LinkId l : fabric.links.ids())
        if (fabric.links.tier[l] == LinkTier::HostLeaf) parts.insert(fabric.devices.part[fabric.links.b[l]]);
    for (const auto index : parts) {
        const Part* part = index == none ? nullptr : fabric.design->catalog->find(fabric.partIds[index]);
        if (const SwitchPart* detail = part ? part->as<SwitchPart>() : nullptr; detail && detail->protocol == "eth") return Transport::Roce;
    }
    return Transport::InfiniBand;
}

std::vector<bool> partialNicsOf(const Fabric& fabric) {
    if (!fabric.intact) return {};
    const auto portsOf = [](const Fabric& of) {
        std::vector<int> ports(of.devices.size());
        for (const LinkId l : of.links.ids())
            if (of.links.tier[l] == LinkTier::HostLeaf) ++ports[of.links.a[l]];
        return ports;
    };
    const std::vector<int> now = portsOf(fabric), before = portsOf(*fabric.intact);
    std::vector<bool> links(fabric.links.size());
    bool isAny = false;
    for (const LinkId l : fabric.links.ids()) {
        if (fabric.links.tier[l] != LinkTier::HostLeaf) continue;
        const DeviceId nic = fabric.links.a[l];
        links[l] = now[nic] < before[fabric.intactDevice[nic]];
        isAny = isAny || links[l];
    }
    return isAny ? links : std::vector<bool>();
}

} // namespace

FabricIndex::FabricIndex(const Fabric& fabric, const SwitchGraph& graph)
    : gpusOfDomain(fabric.hbDomains.size()),
      hb(fabric.devices.size()),
      meetsHbSwitch(fabric.devices.size()),
      meetsGpu(fabric.devices.size()),
      isMesh(fabric.hbDomains.size()),
      transport(transportOf(fabric)),
      linksOfPartialNics(partialNicsOf(fabric)) {
    const DeviceTable& devices = fabric.devices;
    std::vector<std::pair<DeviceId, DeviceId>> nics;
    nics.reserve(graph.hosts.size());
    const auto takeHb = [&](LinkId l) {
        const DeviceId a = fabric.links.a[l], b = fabric.links.b[l];
        for (const auto& [end, other] : {std::pair(a, b), {b, a}}) {
            if (!devices.isGpu(end)) continue;
            hb[end] += fabric.speedOf(l).value();
            (devices.isHbSwitch(other) ? meetsHbSwitch : meetsGpu)[end] = true;
        }
        if (const auto domain = devices.hbDomain[a]; domain != none && devices.kind[a] == devices.kind[b]) isMesh[domain] = true;
    };
    for (const LinkId l : fabric.links.ids()) {
        if (fabric.links.tier[l] == LinkTier::Pcie) nics.emplace_back(fabric.links.a[l], fabric.links.b[l]);
        if (fabric.links.tier[l] == LinkTier::Hb) takeHb(l);
    }
    nicsOfGpu = Lists(devices.size(), nics);
    for (const DeviceId d : devices.ids())
        if (devices.isGpu(d) && devices.hbDomain[d] != none) ++gpusOfDomain[devices.hbDomain[d]];
    const NicKeys keys(fabric);
    std::vector<std::pair<DeviceId, std::uint32_t>> ofNic;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ofDomain;
    keyOfHost.reserve(graph.hosts.size());
    ofNic.reserve(graph.hosts.size());
    ofDomain.reserve(graph.hosts.size());
    for (std::uint32_t h = 0; h < graph.hosts.size(); ++h) {
        const DeviceId nic = graph.hosts[h].nic;
        keyOfHost.push_back(keys.indexOf(graph.hosts[h]));
        ofNic.emplace_back(nic, h);
        if (devices.hbDomain[nic] != none) ofDomain.emplace_back(devices.hbDomain[nic], h);
    }
    hostsOfNic = Lists(devices.size(), ofNic);
    hostsOfDomain = Lists(fabric.hbDomains.size(), ofDomain);
}

} // namespace railyard
