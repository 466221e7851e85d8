#include "core/failure/interrupts.h"

#include <cmath>

namespace railyard {
namespace {

FailureComponent component(const Catalog& catalog, std::string kind, std::string_view rateId, std::int64_t count) {
    const FailureRate* rate = catalog.rate(rateId);
    return {std::move(kind), std::string(rateId), count, rate && rate->base ? *rate->base : 0};
}

} // namespace

Interrupts interruptsOf(const Fabric& fabric, double horizonHours) {
    const FabricCounts counts = countsOf(fabric);
    // A link or leaf stops the job where some NIC has no other: dual-ToR survives the loss of either.
    std::vector<std::uint32_t> linksOfNic(fabric.devices.size()), leafOfNic(fabric.devices.size(), none);
    std::vector<bool> several(fabric.devices.size()), alone(fabric.devices.size()); // a NIC on several leaves; a NIC's only leaf
    const LinkTable& links = fabric.links;
    for (const LinkId l : links.ids()) {
        if (links.tier[l] != LinkTier::HostLeaf) continue;
        ++linksOfNic[links.a[l]];
        several[links.a[l]] = several[links.a[l]] || (leafOfNic[links.a[l]] != none && leafOfNic[links.a[l]] != links.b[l]);
        leafOfNic[links.a[l]] = links.b[l];
    }
    std::int64_t hostLinks = 0, leaves = 0;
    for (std::size_t nic = 0; nic < linksOfNic.size(); ++nic) {
        hostLinks += linksOfNic[nic] == 1 ? 1 : 0;
        if (leafOfNic[nic] == none || several[nic] || alone[leafOfNic[nic]]) continue;
        alone[leafOfNic[nic]] = true;
        ++leaves;
    }
    const Catalog& catalog = *fabric.design->catalog;
    Interrupts result;
    result.horizonHours = horizonHours;
    result.components = {
        component(catalog, "gpu", "rel-gpu-llama3-total", counts.gpus), component(catalog, "nic", "rel-nic-llama3", counts.nics),
        component(catalog, "host-link", "rel-nic-tor-link-hpn", hostLinks), component(catalog, "leaf", "rel-switch-hpn-tor", leaves),
        component(catalog, "server", "rel-server-llama3", counts.servers)};
    double perYear = 0;
    for (const FailureComponent& part : result.components) perYear += part.ratePerYear * static_cast<double>(part.count);
    if (perYear > 0) {
        result.probability = -std::expm1(-perYear * horizonHours / 8760);
        result.meanTimeHours = 8760 / perYear;
    }
    return result;
}

} // namespace railyard
