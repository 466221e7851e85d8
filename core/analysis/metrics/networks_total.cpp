#include "core/analysis/metrics/networks_total.h"

namespace railyard {

bool isOfNetworks(BillCategory category) {
    switch (category) {
    case BillCategory::Switch:
    case BillCategory::Cable:
    case BillCategory::Pluggable:
    case BillCategory::Storage:
    case BillCategory::InBand:
    case BillCategory::OutOfBand: return true;
    default: return false;
    }
}

PartKinds networksLeftOut(const Bill& bill) {
    PartKinds kinds;
    for (const BillLine& line : bill.lines)
        if (isOfNetworks(line.category) && !line.base) kinds.set(static_cast<std::size_t>(line.category));
    return kinds;
}

NetworksTotal networksTotal(const InstantMetrics& metrics) {
    NetworksTotal total;
    total.power = Watts(0);
    for (const BillLine& line : metrics.bill.lines) {
        if (!isOfNetworks(line.category)) continue;
        if (line.base) {
            total.cost += *line.base * line.quantity;
        } else if (const bool isCable = line.section.ends_with(cablesSection); !isCable || hasFixedEnds(line)) {
            std::string& first = isCable || line.section.ends_with(opticsSection) ? total.unpricedModule : total.unpricedSwitch;
            if (first.empty()) first = line.part ? line.part->name : line.description;
        }
    }
    total.leftOut = networksLeftOut(metrics.bill);
    total.isComplete = total.leftOut.none();
    for (std::size_t c = 0; c < metrics.bill.watts.size(); ++c) {
        if (!isOfNetworks(static_cast<BillCategory>(c))) continue;
        const auto& watts = metrics.bill.watts[c];
        total.power = total.power && watts ? std::optional(*total.power + *watts) : std::nullopt;
    }
    total.switches = metrics.counts.switches;
    for (const NetworkFigures& side : metrics.networks) total.switches += side.switches;
    return total;
}

} // namespace railyard
