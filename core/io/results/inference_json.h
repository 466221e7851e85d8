// Estimates of inference and of reinforcement learning as JSON, by the keys of `infer --json`.
#pragma once

#include "core/inference/inference.h"
#include "core/inference/reinforcement.h"
#include "core/json/json_parse.h"

namespace railyard {

Json toJson(const InferenceEstimate& estimate);
Json toJson(const std::vector<InferenceEstimate>& curve);
Json toJson(const ReinforcementEstimate& estimate); // by the keys of `rlhf --json`

} // namespace railyard
