// Failures of a job as JSON, by the keys of `reliability --json`.
#pragma once

#include "core/analysis/curves/failure_curves.h"
#include "core/json/json_parse.h"
#include "core/reliability/monte_carlo.h"
#include "core/reliability/single_failures.h"

namespace railyard {

Json toJson(const Reliability& reliability, const ReliabilityRequest& request);
Json toJson(const SingleFailure& failure);
Json toJson(const LeafPolicies& policies);
Json toJson(const MonteCarlo& simulated);

} // namespace railyard
