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
CellMapData timeDifferenceCells(const HeatGrid& grid, CollectiveOp op, const QString& a, const QString& b, const QString& inB,
                                double ownServers); // inB: in rail-only, over TCP
CellMapData hbNicCells(const HeatGrid& grid, CollectiveOp op, Bytes size, const BandwidthAxes& own);
CellMapData decisionCells(const DecisionMap& map, std::int64_t ownGpus, std::int64_t ownDomain);
// By how much longer the fabric takes than something else: rail-only than rail-optimized (`difference`), TCP than RDMA (`tcp`).
Result<CellMapData> differenceCells(const Fabric& fabric, const QString& picture, CollectiveOp op,
                                    const std::vector<std::int64_t>& servers);
// A training job on all GPUs of a design: a model and how it is divided; 0: as the design suggests.
struct JobChoice {
    std::string model = "llama3-70b";
    std::int64_t tensor = 0, pipeline = 1, expert = 1, context = 1;
    bool isByKind = false; // colours tell the kinds apart
    bool operator==(const JobChoice&) const = default;
};
// Where the messages of such a job stand among the sizes and servers of a map of times; with words below it.
void addMessageDots(const Fabric& fabric, const JobChoice& choice, CollectiveOp op, const std::vector<Bytes>& sizes,
                    const std::vector<std::int64_t>& servers, CellMapData& data);
MatrixMapData jobTrafficMap(const Fabric& fabric, const JobChoice& choice);
// What hashing costs over connections, of a permutation and of rings along the rails.
CurveData collisionCurves(const Fabric& fabric);
// By how much jobs that all run the collective slow each other, over how many of them share the design.
CurveData jobCurves(const Fabric& fabric, CollectiveOp op, Bytes size);
QString verdictOf(const DecisionCell& cell);

} // namespace railyard
