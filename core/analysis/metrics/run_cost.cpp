#include "core/analysis/metrics/run_cost.h"

namespace railyard {

std::optional<double> RunCost::totalUsd() const {
    if (!energyUsd || !spaceUsd) return std::nullopt;
    return hardwareUsd + *energyUsd + *spaceUsd;
}

RunCost runCostOf(const Bill& bill, std::int64_t gpusOfDesign, const TrainingEstimate& estimate) {
    const double share = static_cast<double>(estimate.job.gpus()) / static_cast<double>(gpusOfDesign), hours = estimate.days() * 24,
                 years = hours / hoursPerYear;
    RunCost cost;
    if (const auto facility = bill.facilityPower()) cost.energyKwh = facility->value() / 1000 * hours * share;
    if (const auto year = bill.energyPerYear()) cost.energyUsd = *year * years * share;
    if (const auto year = bill.spacePerYear()) cost.spaceUsd = *year * years * share;
    cost.hardwareUsd = bill.total.inDollars() / bill.site.years * years * share;
    cost.unpricedLines = bill.unpricedLines;
    return cost;
}

} // namespace railyard
