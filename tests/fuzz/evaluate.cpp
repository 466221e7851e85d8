#include "core/analysis/metrics/metrics.h"
#include "core/analysis/rules/design_rules.h"
#include "core/bill/cabled_key.h"
#include "core/bill/cabling.h"
#include "core/io/results/results_json.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cmath>

namespace railyard::fuzz {
namespace {

// In the text of a JSON value, a number that is not finite is null, as is one that is unknown.
bool isFinite(const Json& json) {
    if (json.is_number_float()) return std::isfinite(json.get<double>());
    return !json.is_structured() || std::all_of(json.begin(), json.end(), isFinite);
}

} // namespace

void evaluate(const Fabric& fabric) {
    const Cabling cabling = cablingOf(fabric);
    const Metrics metrics = metricsOf(fabric);
    (void)checkDesign(fabric, cabling, metrics.instant.bill);
    require(cabledKeyOf(fabric) == cabledKeyOf(fabric), "the key of a cabled network is that of the fabric");
    require(isFinite(toJson(metrics)), "metrics are numbers");
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
