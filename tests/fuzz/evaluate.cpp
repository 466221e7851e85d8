#include "core/analysis/metrics/metrics.h"
#include "core/analysis/rules/design_rules.h"
#include "core/bill/cabling.h"
#include "core/io/results/results_json.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

namespace railyard::fuzz {

void evaluate(const Fabric& fabric) {
    const Cabling cabling = cablingOf(fabric);
    const Metrics metrics = metricsOf(fabric);
    (void)checkDesign(fabric, cabling, metrics.instant.bill);
    const std::string text = toJson(metrics).dump();
    require(text.find("nan") == std::string::npos && text.find("inf") == std::string::npos, "metrics are numbers");
    for (const Bisection& found : metrics.background.bisection)
        require(found.lowerGbps <= found.upperGbps * (1 + 1e-9), "the lower bound of a bisection is not above the upper one");
}

void estimate(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan) {
    const auto found = estimateTraining(fabric, placed, plan);
    if (!isRead(found)) return;
    require(std::isfinite(found->iteration.value()) && found->iteration > Seconds(), "iterations are positive numbers");
    require(std::abs(found->breakdown.total() / found->iteration - 1) < 1e-6, "the parts of an iteration add up");
}

} // namespace railyard::fuzz
