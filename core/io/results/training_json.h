// Training estimates as JSON, by the keys of `train --json`.
#pragma once

#include "core/json/json_parse.h"
#include "core/training/training.h"

namespace railyard {

Json toJson(const TrainingEstimate& estimate);

} // namespace railyard
