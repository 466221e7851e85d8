#include "core/io/tables/loads_files.h"

#include "core/io/tables/csv.h"

#include <algorithm>

namespace railyard {

std::string loadsCsv(const Fabric& fabric, const LinkLoads& loads) {
    CsvWriter csv;
    for (const char* name : {"a_device", "a_port", "b_device", "b_port", "tier", "a_to_b_fraction", "b_to_a_fraction",
                             "a_to_b_utilisation_fraction", "b_to_a_utilisation_fraction"})
        csv.text(name);
    csv.endRow();
    const LinkTable& links = fabric.links;
    for (const LinkId l : links.ids()) {
        const double full = loads.ofGpu.value() / fabric.speedOf(l).value();
        csv.text(fabric.devicePath(links.a[l])).text(fabric.portName(links.a[l], links.aPort[l], links.tier[l]));
        csv.text(fabric.devicePath(links.b[l])).text(fabric.portName(links.b[l], links.bPort[l], links.tier[l]));
        csv.text(toText(links.tier[l])).number(loads.aToB[l]).number(loads.bToA[l]);
        csv.number(loads.aToB[l] * full).number(loads.bToA[l] * full);
        csv.endRow();
    }
    return csv.bytes();
}

Json toJson(const Fabric& fabric, const LinkLoads& loads, const LoadSummary& summary) {
    Json json;
    json["gpu_gbps"] = loads.ofGpu.value() / 1e9;
    json["max_utilisation_fraction"] = summary.busiest == none ? Json() : Json(summary.utilisation);
    json["bottleneck"] = Json();
    if (summary.busiest != none) {
        const auto l = summary.busiest;
        const LinkTable& links = fabric.links;
        json["bottleneck"] = {{"a_device", fabric.devicePath(links.a[l])},
                              {"a_port", fabric.portName(links.a[l], links.aPort[l], links.tier[l])},
                              {"b_device", fabric.devicePath(links.b[l])},
                              {"b_port", fabric.portName(links.b[l], links.bPort[l], links.tier[l])},
                              {"tier", std::string(toText(links.tier[l]))},
                              {"direction", summary.isAToB ? "a_to_b" : "b_to_a"},
                              {"fraction", summary.isAToB ? loads.aToB[l] : loads.bToA[l]}};
    }
    for (std::size_t t = 0; t < summary.tiers.size(); ++t) {
        const TierLoad& tier = summary.tiers[t];
        if (tier.links == 0) continue;
        json["by_tier"][std::string(toText(static_cast<LinkTier>(t)))] = {
            {"links", tier.links},
            {"max_fraction", tier.most},
            {"mean_fraction", tier.mean},
            {"max_over_mean", tier.mean > 0 ? Json(tier.most / tier.mean) : Json()},
            {"max_utilisation_fraction", tier.mostUtilisation}};
    }
    json["unreachable_pairs"] = loads.unreachablePairs;
    json["unreachable_example"] = loads.unreachablePairs > 0 ? Json(loads.unreachableExample) : Json();
    return json;
}

} // namespace railyard
