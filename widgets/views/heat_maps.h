// From the core's grids to what a cell map shows: sentences as titles, words in the cells, read-outs.
#pragma once

#include "core/analysis/decision.h"
#include "core/analysis/heat_grid.h"
#include "widgets/views/cell_map.h"
#include "widgets/views/curve_plot.h"

namespace railyard {

CellMapData collectiveTimeCells(const HeatGrid& grid, CollectiveOp op, double ownServers);
CellMapData hbNicCells(const HeatGrid& grid, CollectiveOp op, Bytes size, const BandwidthAxes& own);
CellMapData decisionCells(const DecisionMap& map, std::int64_t ownGpus, std::int64_t ownDomain);
// What hashing costs over connections, of a permutation and of rings along the rails.
CurveData collisionCurves(const Fabric& fabric);
QString verdictOf(const DecisionCell& cell);

} // namespace railyard
