// Training estimates as JSON, by the keys of `train --json`.
#pragma once

#include "core/json/json_parse.h"
#include "core/training/search.h"

namespace railyard {

Json toJson(const TrainingEstimate& estimate);
Json toJson(const SearchPoint& point);

} // namespace railyard
