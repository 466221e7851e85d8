#include "core/reliability/spare_rates.h"

#include "core/fabric/rack_systems.h"

#include <algorithm>
#include <map>

namespace railyard {
namespace {

std::vector<PartKind> kindsOf(const BillLine& line) {
    const std::string_view kind = line.part ? line.part->kind() : std::string_view();
    if (line.part && line.part->as<OpticalSwitchPart>()) return {PartKind::Ocs};
    if (line.category == BillCategory::Switch || kind == "switch")
        return {PartKind::Leaf, PartKind::Spine, PartKind::Superspine, PartKind::Core};
    if (line.category == BillCategory::Pluggable || kind == "optic") return {PartKind::Optic};
    if (line.category == BillCategory::Nic) return {PartKind::Nic};
    if (kind == "rack") return {}; // a rack system is not replaced as a whole; its trays are not lines of the bill
    if (line.category == BillCategory::Server) return {PartKind::Server};
    return {};
}

} // namespace

RateOfLine spareRatesOf(const Design& design, const ReliabilityRequest& request) {
    return [rates = ratesOf(design, request), factor = request.earlyLife](const BillLine& line) {
        std::optional<double> highest;
        for (const PartKind kind : kindsOf(line))
            if (const auto base = rates.of(kind, line.part ? line.part->id : std::string()).base)
                highest = std::max(highest.value_or(0), *base * factor);
        return highest;
    };
}

std::vector<TraySpares> traySparesOf(const Fabric& fabric, const ReliabilityRequest& request, double confidence) {
    const Rates rates = ratesOf(*fabric.design, request);
    std::map<std::pair<PartKind, std::string>, std::int64_t> counts; // by part
    for (const ServerId server : indices<ServerId>(fabric.servers.size()))
        if (rackSystemOf(fabric, server)) ++counts[{PartKind::Tray, fabric.partIds[fabric.serverParts[server]]}];
    std::vector<DeviceId> gpus;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.isGpu(d)) gpus.push_back(d);
    for (const auto& [domain, trays] : switchTraysOf(fabric, gpus)) counts[{PartKind::NvlinkSwitchTray, {}}] += trays;
    std::vector<TraySpares> spares;
    for (const auto& [key, count] : counts) {
        const auto& [kind, part] = key;
        const auto base = rates.of(kind, part).base;
        const std::int64_t needed = base ? sparesFor(count, *base * request.earlyLife, spareLeadTimeHours, confidence) : 0;
        if (needed > 0) spares.push_back({part.empty() ? std::string(toText(kind)) : part, needed});
    }
    return spares;
}

} // namespace railyard
