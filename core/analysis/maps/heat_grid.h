// A dense matrix with named axes. All heat maps leave the core in this form.
#pragma once

#include "core/base/result.h"
#include "core/base/tasks.h"
#include "core/collective/collective.h"
#include "core/design/recipes/recipe.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace railyard {

struct HeatGrid {
    std::string title, xName, yName, valueName, unit; // `unit` as in JSON keys: s, fraction
    std::vector<double> x, y;
    std::vector<std::string> yNames;                   // of curves, parallel to `y`: each row is a curve over x
    std::vector<std::optional<double>> values;         // row by row, y is the outer index; empty if the cell does not exist
    std::vector<std::string> notes;                    // parallel to `values`: the algorithm, or the reason for an empty cell
    std::vector<std::optional<double>> bandwidthTimes; // for time maps, parallel to `values`: times without latencies and pipeline ramps
    bool isDifference = false;                         // of two times, and so with a sign
    std::vector<bool> undecided;                       // for difference maps, parallel to `values`: the sign of the difference is uncertain
    bool isWithoutLatency = false;                     // times are based on link bandwidth only: the vendor publishes no latency constants
    std::size_t at(std::size_t column, std::size_t row) const { return row * x.size() + column; }
};

// What is found at a point of a map.
struct GridPoint {
    std::optional<double> value;
    std::string note;
    std::optional<double> bandwidthTime;
    bool isUndecided = false, isWithoutLatency = false;
};
// The head with a row of points for each y, which run on the pool. Rows that a stop left out are empty and say so.
HeatGrid sampledGrid(HeatGrid head, const std::function<std::vector<GridPoint>(std::size_t row)>& rowOf, const TaskContext& context);

// Collective time over message size (x) and server count (y). The cell of the design's own size is computed from the design;
// other sizes rebuild the same recipe, without overrides.
Result<HeatGrid> collectiveTimeGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers, const Calibration& calibration = shippedCalibration(),
                                    const TaskContext& context = {});
// The relative difference by which `b` takes longer than `a`, for every size of both. `undecided` marks cells in which the
// uncertain constants could reverse the sign.
Result<HeatGrid> timeDifferenceGrid(const Fabric& a, const Fabric& b, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers, const Calibration& calibration = shippedCalibration(),
                                    const TaskContext& context = {});
// The relative difference of TCP to RDMA in the same fabric.
Result<HeatGrid> tcpDifferenceGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                   const std::vector<std::int64_t>& servers, const TaskContext& context = {});
// Collective time over NIC speed (x) and HB bandwidth of a GPU (y), both per direction. Every cell rebuilds the recipe with
// `nic_gbps` and `hb_gbps`, with uplinks scaled in proportion and the same port counts; overrides are ignored. For a
// hand-drawn design only its own cell has a value. Empty axes are replaced by the usual values around the design's own.
struct BandwidthAxes {
    std::vector<double> nicGbps, hbGbps;
};
BandwidthAxes ownBandwidths(const Fabric& fabric); // one value per axis; 0 if the design has no such links
BandwidthAxes usualBandwidths(const Fabric& fabric);
Result<HeatGrid> hbNicGrid(const Fabric& fabric, CollectiveOp op, Bytes size, const BandwidthAxes& axes,
                           const Calibration& calibration = shippedCalibration(), const TaskContext& context = {});
std::vector<Bytes> usualSizes();                                   // powers of two, 256 KiB ... 16 GiB
std::vector<std::int64_t> usualServerCounts(const Fabric& fabric); // powers of two around the design's own count

} // namespace railyard
