// Failures of a job as JSON, by the keys of `reliability --json`.
#pragma once

#include "core/analysis/curves/failure_curves.h"
#include "core/analysis/retiling.h"
#include "core/json/json_parse.h"
#include "core/reliability/monte_carlo.h"
#include "core/reliability/remedies.h"
#include "core/reliability/single_failures.h"
#include "core/reliability/worst_pair.h"

namespace railyard {

Json toJson(const Reliability& reliability, const ReliabilityRequest& request);
Json toJson(const SingleFailure& failure);
Json toJson(const PairFailure& pair);
Json toJson(const std::vector<Remedy>& remedies);
Json toJson(const Retiling& retiling);
Json toJson(const LeafPolicies& policies);
Json toJson(const MonteCarlo& simulated);

} // namespace railyard
