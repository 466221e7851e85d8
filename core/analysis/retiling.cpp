#include "core/analysis/retiling.h"

#include "core/analysis/maps/decision.h"
#include "core/bill/unpriced.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/optical_switches.h"

namespace railyard {
namespace {

Tiling tilingOf(Design design) {
    design.ocs.reset();
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(design)));
    return {countsOf(*fabric).switches, billOf(*fabric, cablingOf(*fabric))};
}

} // namespace

int Tiling::unpricedLines() const { return unpricedItems(bill.lines).networkLines(); }

std::optional<Watts> Retiling::powerSaved() const {
    if (!railOptimized || !railOnly || !railOptimized->bill.networkPower || !railOnly->bill.networkPower || !power) return {};
    return *railOptimized->bill.networkPower - *railOnly->bill.networkPower - *power;
}

std::optional<Money> Retiling::breakEven() const {
    if (!railOptimized || !railOnly || opticalSwitches == 0) return {};
    const auto difference = differenceOf(railOnly->bill, railOptimized->bill, &Bill::network);
    return difference ? std::optional(Money::cents(difference->inCents() / opticalSwitches)) : std::nullopt;
}

std::optional<Retiling> retilingOf(const Design& design) {
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(design));
    const OpticalSwitches switches = opticalSwitchesOf(*fabric);
    if (!switches.isAny()) return {};
    Retiling result;
    result.opticalSwitches = static_cast<std::int64_t>(switches.links.size());
    result.freePorts = switches.freePorts();
    if (switches.part->price) result.price = switches.part->price->base;
    if (const auto each = switches.part->typicalElseMaximum()) result.power = *each * static_cast<double>(result.opticalSwitches);
    if (const auto time = switches.part->as<OpticalSwitchPart>()->switchingMs) result.switching = Seconds(*time / 1000);
    const auto twin = twinOf(design);
    if (!twin) return result;
    const bool isTwinRailOnly = twin->recipe->name == "rail-only";
    result.railOnly = tilingOf(isTwinRailOnly ? *twin : design);
    result.railOptimized = tilingOf(isTwinRailOnly ? design : *twin);
    return result;
}

} // namespace railyard
