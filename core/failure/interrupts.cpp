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
    std::vector<bool> leafUsed(fabric.devices.size());
    std::int64_t hostLinks = 0, leaves = 0;
    for (std::size_t l = 0; l < fabric.links.size(); ++l) {
        if (fabric.links.tier[l] != LinkTier::HostLeaf) continue;
        ++hostLinks; // every NIC port has one path only: losing its link or its leaf stops the job
        if (!leafUsed[fabric.links.b[l]]) ++leaves;
        leafUsed[fabric.links.b[l]] = true;
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
