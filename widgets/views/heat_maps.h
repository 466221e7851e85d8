// Converts the grids of the core to the data of a cell map: title, cell texts and tool tips.
#pragma once

#include "core/analysis/maps/curve_grids.h"
#include "core/analysis/maps/decision.h"
#include "core/analysis/maps/heat_grid.h"
#include "core/analysis/maps/link_load_grid.h"
#include "core/training/job_request.h"
#include "widgets/plots/cell_map.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/matrix_map.h"

namespace railyard {

CellMapData collectiveTimeCells(const HeatGrid& grid, CollectiveOp op, double ownServers);
// Relative time difference of `b` against `a`. Cells are undecided if the calibration error could reverse the sign.
CellMapData timeDifferenceCells(const HeatGrid& grid, CollectiveOp op, const QString& a, const QString& b, const QString& inB,
                                double ownServers); // inB completes the title: "longer on rail-only than on rail-optimized"
CellMapData hbNicCells(const HeatGrid& grid, CollectiveOp op, Bytes size, const BandwidthAxes& own);
CellMapData decisionCells(const DecisionMap& map, std::int64_t ownGpus, std::int64_t ownDomain);
// Relative time difference of two variants of the fabric: TCP against RDMA, or rail-only against rail-optimized.
Result<CellMapData> differenceCells(const Fabric& fabric, bool isTcp, CollectiveOp op, const std::vector<std::int64_t>& servers,
                                    const TaskContext& context = {});
// Adds the messages of a training job to a map of collective times, as dots with a caption below the map.
void addMessageDots(const Fabric& fabric, const JobRequest& job, CollectiveOp op, const std::vector<Bytes>& sizes,
                    const std::vector<std::int64_t>& servers, CellMapData& data);
// `isByKind`: colours show the kind of parallelism instead of the volume.
MatrixMapData jobTrafficMap(const Fabric& fabric, const JobRequest& job, bool isByKind);
CellMapData trainingCells(const HeatGrid& grid, const PlacedJob& placed);
CellMapData failureCells(const HeatGrid& grid, std::int64_t ownGpus, Seconds horizon);
CellMapData linkLoadCells(const LinkLoadGrid& grid); // of all-to-all with an even split
CurveData collisionCurves(const HeatGrid& grid);
CurveData jobCurves(const HeatGrid& grid, CollectiveOp op, Bytes size);
QString verdictOf(const DecisionCell& cell);

} // namespace railyard
