// A dense matrix with names on both axes: the one form in which heat maps leave the core.
#pragma once

#include "core/base/result.h"
#include "core/collective/collective.h"
#include "core/design/recipe.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

struct HeatGrid {
    std::string title, xName, yName, valueName, unit; // "unit" as in JSON keys: s, fraction
    std::vector<double> x, y;
    std::vector<std::optional<double>> values;         // row by row, y outer; nothing = does not exist
    std::vector<std::string> notes;                    // parallel to values: algorithm or reason
    std::vector<std::optional<double>> bandwidthTimes; // parallel to values, of maps of times: without latencies and ramps
    std::vector<bool> undecided;                       // parallel to values, of maps of differences
    bool isWithoutLatency = false;                     // times of links alone: these GPUs' library publishes no latencies
    std::size_t at(std::size_t column, std::size_t row) const { return row * x.size() + column; }
};

// Collective time over message size (x) and servers (y). The design's own size is computed as drawn; the others are the
// same recipe elaborated anew.
Result<HeatGrid> collectiveTimeGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers, const Calibration& calibration = shippedCalibration());
// The same as the share by which `b` takes longer than `a`, at the sizes of both; `undecided` where what is uncertain could turn
// it around.
Result<HeatGrid> timeDifferenceGrid(const Fabric& a, const Fabric& b, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers, const Calibration& calibration = shippedCalibration());
// Of the same fabric over TCP against RDMA.
Result<HeatGrid> tcpDifferenceGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                   const std::vector<std::int64_t>& servers);
// Time of one collective over NIC speed (x) and HB bandwidth of a GPU (y), both one direction: all cells as the recipe builds
// them, with `nic_gbps` and `hb_gbps` set, uplinks as much faster and as many ports on every switch; edits apart from the recipe
// are in none. Of a design drawn by hand its own cell only. Empty axes: the usual ones around the design's own.
struct BandwidthAxes {
    std::vector<double> nicGbps, hbGbps;
};
BandwidthAxes ownBandwidths(const Fabric& fabric); // one value each; 0 where the design has none
BandwidthAxes usualBandwidths(const Fabric& fabric);
Result<HeatGrid> hbNicGrid(const Fabric& fabric, CollectiveOp op, Bytes size, const BandwidthAxes& axes,
                           const Calibration& calibration = shippedCalibration());
std::vector<Bytes> usualSizes();                                   // 256 KiB ... 16 GiB, doubling
std::vector<std::int64_t> usualServerCounts(const Fabric& fabric); // doublings around the design's own

} // namespace railyard
