// Training estimates as JSON, by the keys of `train --json`.
#pragma once

#include "core/analysis/curves/training_curves.h"
#include "core/analysis/metrics/run_cost.h"
#include "core/json/json_parse.h"
#include "core/training/measurements.h"
#include "core/training/search.h"
#include "core/training/shared_cluster.h"

namespace railyard {

Json toJson(const TrainingEstimate& estimate);
Json toJson(const SearchPoint& point);
Json toJson(const RunCost& cost);
Json toJson(const std::vector<CalibrationCheck>& checks);
Json toJson(const std::vector<JobOnCluster>& jobs);
Json toJson(const TrainingCurve& curve); // an estimate, or why there is none, for each point

} // namespace railyard
