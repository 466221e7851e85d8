// Results in the JSON form of the command line; the keys are fixed.
#pragma once

#include "core/analysis/figures/explain.h"
#include "core/analysis/maps/decision.h"
#include "core/analysis/metrics/metrics.h"
#include "core/json/json_view.h"

namespace railyard {

Json toJson(const Explanation& explanation);
Json toJson(const Metrics& metrics);
Json toJson(const Bisection& bisection);
Json toJson(const CollectiveResult& result);
// The collective at every size. Errors: those of Communicator::time.
Result<Json> toJson(const Communicator& group, CollectiveOp op, const CollectiveRequest& request, const std::vector<Bytes>& sizes);
Json toJson(const HeatGrid& grid);
Json toJson(const std::vector<Diagnostic>& found);

} // namespace railyard
