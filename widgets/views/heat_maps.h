// From the core's grids to what a cell map shows: sentences as titles, words in the cells, read-outs.
#pragma once

#include "core/analysis/decision.h"
#include "core/analysis/heat_grid.h"
#include "widgets/views/cell_map.h"
#include "widgets/views/curve_plot.h"
#include "widgets/views/matrix_map.h"

namespace railyard {

CellMapData collectiveTimeCells(const HeatGrid& grid, CollectiveOp op, double ownServers);
// By how much longer `b` takes than `a`; nothing decided where what is uncertain could turn it around.
CellMapData timeDifferenceCells(const HeatGrid& grid, CollectiveOp op, const QString& a, const QString& b, double ownServers);
CellMapData hbNicCells(const HeatGrid& grid, CollectiveOp op, Bytes size, const BandwidthAxes& own);
CellMapData decisionCells(const DecisionMap& map, std::int64_t ownGpus, std::int64_t ownDomain);
// A training job on all GPUs of a design: a model and how it is divided; 0: as the design suggests.
struct JobChoice {
    std::string model = "llama3-70b";
    std::int64_t tensor = 0, pipeline = 1, expert = 1, context = 1;
    bool isByKind = false; // colours tell the kinds apart
    bool operator==(const JobChoice&) const = default;
};
MatrixMapData jobTrafficMap(const Fabric& fabric, const JobChoice& choice);
// What hashing costs over connections, of a permutation and of rings along the rails.
CurveData collisionCurves(const Fabric& fabric);
QString verdictOf(const DecisionCell& cell);

} // namespace railyard
