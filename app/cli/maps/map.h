// A heat map of the command line: one file and one row of the table.
#pragma once

#include "app/cli/options/arguments.h"
#include "app/cli/options/traffic_options.h"
#include "core/analysis/maps/heat_grid.h"
#include "core/analysis/maps/map_kinds.h"
#include "core/io/tables/csv.h"
#include "core/json/json_view.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace railyard::cli {

struct MapOptions {
    DesignInput input;
    std::string kind, output = "-", op = "all-reduce";
    std::vector<std::string> sizes;
    std::vector<std::int64_t> servers, gpus, domains;
    BandwidthAxes bandwidths;
    TrafficOptions traffic;
    std::string x, y, objective, sides; // of decisions
    double bisection = -1;
    std::string tier = "leaf-spine", by, against, transport = "rdma";
    bool json = false;

    bool writesJson() const { return output.ends_with(".json") || (json && output == "-"); }
};

struct MapAnswer {
    Json json;
    std::string csv;
    std::string note{}; // what it leaves out; empty: nothing
};

struct MapInfo {
    std::string_view kind;                 // of mapKinds
    std::vector<std::string_view> options; // of the verb that it uses, besides those of its traffic; others are refused
    Result<MapAnswer> (*answer)(const MapOptions&, const LoadedDesign&) = nullptr;
    Status (*check)(const MapOptions&) = nullptr; // before the design is read
};

extern const MapInfo collectiveTimeMap, differenceMap, tcpMap, hbNicMap, trainingMap, trafficMap, linkLoadMap, collisionsMap, jobsMap,
    failureMap, decisionMap;

// The header holds the x values, the first column those of y; numbers or names.
template <class Grid>
std::string gridCsv(const Grid& grid, const std::string& corner) {
    CsvWriter csv;
    const auto heading = [&](const auto& value) {
        if constexpr (std::is_convertible_v<decltype(value), std::string_view>)
            csv.text(value);
        else
            csv.number(value);
    };
    csv.text(corner);
    for (const auto& x : grid.x) heading(x);
    csv.endRow();
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        heading(grid.y[y]);
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            const auto& value = grid.values[grid.at(x, y)];
            value ? csv.number(*value) : csv.empty();
        }
        csv.endRow();
    }
    return csv.bytes();
}

MapAnswer answerOf(const HeatGrid& grid);
// What several maps ask for.
Result<CollectiveOp> operationOf(const MapOptions& options);
Result<std::vector<Bytes>> sizesOf(const MapOptions& options);
Status axesAreShort(const MapOptions& options);
Result<JobOptions> oneJobOf(const MapOptions& options);
// With failures only the size of the design itself, because other sizes rebuild the intact recipe.
Result<std::vector<std::int64_t>> serversWithFailures(const MapOptions& options, const Fabric& fabric,
                                                      const std::vector<std::int64_t>& asked);
TaskContext mapContext(); // all cores, and progress

} // namespace railyard::cli
