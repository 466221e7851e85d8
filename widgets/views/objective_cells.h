// The decision map by an objective as a cell map, and one of its cells as a table.
#pragma once

#include "core/analysis/maps/objective_map.h"
#include "widgets/plots/cell_map.h"

namespace railyard {

QString objectiveName(MapObjective objective); // "Network cost"
QString mapAxisName(MapAxis axis);
std::vector<std::string> usualAxisValues(MapAxis axis, const std::vector<std::int64_t>& hbDomains);

// Rail-only relative to rail-optimized: negative where it needs less. `mark`: the cell of the open design.
CellMapData objectiveCells(const ObjectiveMap& map, std::int64_t ownGpus, const std::string& ownY);
// "Network cost: 40 % lower with rail-only"
QString objectiveVerdict(const ObjectiveMapRequest& request, const ObjectiveCell& cell);
RichText objectiveTable(const ObjectiveMapRequest& request, const ObjectiveCell& cell);

} // namespace railyard
