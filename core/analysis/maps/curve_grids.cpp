#include "core/analysis/maps/curve_grids.h"

#include "core/analysis/curves/training_curves.h"
#include "core/base/unit_text.h"
#include "core/collective/concurrent_jobs.h"
#include "core/routing/collisions.h"
#include "core/routing/patterns.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::array<std::pair<Pattern, std::string_view>, 3> hashed{
    std::pair(Pattern::Permutation, "permutation"), std::pair(Pattern::Ring, "ring"), std::pair(Pattern::RailRing, "ring per rail")};
constexpr std::int64_t mostJobs = 16;

GridPoint slowestJob(const Fabric& fabric, std::int64_t jobs, JobPlacement placement, CollectiveOp op, Bytes size) {
    auto tiles = tilesOf(fabric, jobs, placement);
    if (!tiles) return {{}, tiles.error().text, {}};
    std::vector<CollectiveJob> all;
    for (auto& tile : *tiles) all.push_back({std::move(tile), op, size, 1});
    const auto times = concurrentTimes(fabric, all);
    if (!times) return {{}, times.error().text, {}};
    const auto slowest = std::max_element(times->jobs.begin(), times->jobs.end(),
                                          [](const JobTime& a, const JobTime& b) { return a.slowdown < b.slowdown; });
    const LinkId link = slowest->bottleneck;
    return {slowest->slowdown,
            link == none ? std::string()
                         : fmt::format("{} → {}", fabric.devicePath(fabric.links.a[link]), fabric.devicePath(fabric.links.b[link])),
            {}};
}

} // namespace

Result<HeatGrid> collisionGrid(const Fabric& fabric, const TaskContext& context) {
    HeatGrid grid;
    grid.title = "slowdown from ECMP hash collisions by flows per pair";
    grid.xName = "flows_per_pair";
    grid.yName = "pattern";
    grid.valueName = "slowdown_ratio";
    grid.unit = "ratio";
    for (int flows = 1; flows <= 64; flows *= 2) grid.x.push_back(flows);
    std::array<std::string, hashed.size()> names;
    for (std::size_t y = 0; y < hashed.size(); ++y) grid.y.push_back(static_cast<double>(y));
    const auto row = [&](std::size_t y) {
        const GpuTraffic traffic = trafficOf(fabric, hashed[y].first, 1);
        const auto direct = linkLoads(fabric, traffic, {});
        const bool isForwarded = direct && direct->unreachablePairs > 0; // rails are not joined, so cross-rail pairs need forwarding
        names[y] = fmt::format("{}{}", hashed[y].second, isForwarded ? ", forwarded" : "");
        const auto curve = collisionCurve(fabric, traffic, {.isForwarded = isForwarded});
        std::vector<GridPoint> points;
        if (!curve) return std::vector<GridPoint>(grid.x.size(), {{}, curve.error().text, {}});
        for (const CollisionPoint& point : *curve) points.push_back({point.slowdown, {}, {}});
        return points;
    };
    grid = sampledGrid(std::move(grid), row, context);
    grid.yNames.assign(names.begin(), names.end());
    return grid;
}

Result<HeatGrid> concurrentJobsGrid(const Fabric& fabric, CollectiveOp op, Bytes size, const TaskContext& context) {
    HeatGrid grid;
    grid.title = fmt::format("slowdown of concurrent jobs that each run {} of {}", toText(op), formatBytes(size));
    grid.xName = "jobs";
    grid.yName = "placement";
    grid.valueName = "slowdown_ratio";
    grid.unit = "ratio";
    for (std::int64_t jobs = 1; jobs <= mostJobs; jobs *= 2) grid.x.push_back(static_cast<double>(jobs));
    grid.y = {0, 1};
    grid.yNames = {"packed", "spread"};
    const auto row = [&, counts = grid.x](std::size_t y) {
        std::vector<GridPoint> points;
        for (const double jobs : counts)
            points.push_back(
                slowestJob(fabric, static_cast<std::int64_t>(jobs), y == 0 ? JobPlacement::Packed : JobPlacement::Spread, op, size));
        return points;
    };
    grid = sampledGrid(std::move(grid), row, context);
    if (!grid.values.front()) return Error::unbuildable(grid.notes.front()); // one job alone has none either
    return grid;
}

HeatGrid trainingGrid(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan, const TaskContext& context) {
    HeatGrid grid;
    grid.title =
        fmt::format("training iteration of {} on {} GPUs by NIC and HB bandwidth", placed.job.model.name, formatCount(placed.job.gpus()));
    grid.xName = "nic_speed_factor";
    grid.yName = "hb_speed_factor";
    grid.valueName = "iteration_s";
    grid.unit = "s";
    grid.x = grid.y = {0.25, 0.5, 1, 2, 4};
    const auto row = [&, factors = grid.x](std::size_t y) {
        std::vector<GridPoint> points;
        for (const double nic : factors) {
            const auto other = atSpeeds(fabric, nic, factors[y]);
            if (!other) {
                points.push_back({{}, other.error().text, {}});
                continue;
            }
            const auto estimate = estimateTraining(*other, placed, plan);
            if (!estimate)
                points.push_back({{}, estimate.error().text, {}});
            else
                points.push_back({estimate->iteration.value(), fmt::format("MFU {}", formatShare(estimate->modelShare())), {}});
        }
        return points;
    };
    return sampledGrid(std::move(grid), row, context);
}

} // namespace railyard
