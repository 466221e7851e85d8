#include "core/analysis/retiling.h"

#include "core/analysis/maps/decision.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/optical_switches.h"

namespace railyard {
namespace {

Tiling tilingOf(Design design) {
    design.ocs.reset();
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(design)));
    const Bill bill = billOf(*fabric, cablingOf(*fabric));
    Tiling tiling{countsOf(*fabric).switches, bill.network, 0, bill.networkPower};
    for (const BillLine& line : bill.lines)
        if (line.category <= BillCategory::Pluggable && !line.base) ++tiling.unpricedLines;
    return tiling;
}

} // namespace

std::optional<Watts> Retiling::powerSaved() const {
    if (!railOptimized.power || !railOnly.power || !power) return {};
    return *railOptimized.power - *railOnly.power - *power;
}

std::optional<Money> Retiling::breakEven() const {
    if (opticalSwitches == 0) return {};
    return Money::cents((railOptimized.network - railOnly.network).inCents() / opticalSwitches);
}

Result<Retiling> retilingOf(const Design& design) {
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(design));
    const OpticalSwitches switches = opticalSwitchesOf(*fabric);
    if (!switches.isAny())
        return Error::unbuildable("the design has no optical circuit switches; set ocs.tier, for example ocs.tier=leaf-spine");
    const auto twin = twinOf(design);
    if (!twin) return twin.errors();
    Retiling result;
    result.opticalSwitches = static_cast<std::int64_t>(switches.links.size());
    result.freePorts = switches.freePorts();
    if (switches.part->price) result.price = switches.part->price->base;
    if (const auto each = switches.part->typicalElseMaximum()) result.power = *each * static_cast<double>(result.opticalSwitches);
    if (const auto time = switches.part->as<OpticalSwitchPart>()->switchingMs) result.switching = Seconds(*time / 1000);
    const bool isRailOnly = design.recipe->name == "rail-only";
    result.railOnly = tilingOf(isRailOnly ? design : *twin);
    result.railOptimized = tilingOf(isRailOnly ? *twin : design);
    return result;
}

} // namespace railyard
