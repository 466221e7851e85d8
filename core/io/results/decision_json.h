// A map of objectives as JSON, railyard.decision/1. Probabilities, intervals and flips need draws and are null.
#pragma once

#include "core/analysis/maps/objective_map.h"
#include "core/json/json_parse.h"

namespace railyard {

Json toJson(const ObjectiveMap& map);

} // namespace railyard
