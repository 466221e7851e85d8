#include "app/cli/maps/map.h"
#include "core/analysis/maps/traffic_matrix.h"
#include "core/base/unit_text.h"

#include <fmt/format.h>

namespace railyard::cli {
namespace {

// Beyond this a matrix is no spreadsheet any more.
constexpr std::size_t mostRows = 4096;

struct DenseTraffic {
    std::vector<std::string> x, y;
    std::vector<std::optional<double>> values; // GB
    std::size_t at(std::size_t column, std::size_t row) const { return row * x.size() + column; }
};

// Of a model from a file, its name.
std::string idOf(const JobRequest& job) { return job.model.starts_with('{') ? job.planned.job.model.name : job.model; }

Json trafficJson(const DenseTraffic& grid, const TrafficMatrix& matrix, const JobRequest& job, std::string_view source) {
    Json rows = Json::array(), shares = Json::object();
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        Json row = Json::array();
        for (std::size_t x = 0; x < grid.x.size(); ++x) row.push_back(*grid.values[grid.at(x, y)]);
        rows.push_back(std::move(row));
    }
    for (const Parallel kind : allParallel) shares[std::string(toText(kind))] = matrix.bytes[static_cast<std::size_t>(kind)];
    return {{"schema", "railyard.heatmap/1"},
            {"title", fmt::format("traffic of one iteration of {}", idOf(job))},
            {"job_source", source},
            {"x", {{"name", "receiver"}, {"values", grid.x}}},
            {"y", {{"name", "sender"}, {"values", grid.y}}},
            {"value", "gbytes"},
            {"bytes_by_kind", shares},
            {"bytes",
             {{"in_hb_domains", matrix.inDomains},
              {"on_rails", matrix.onRails},
              {"across_rails", matrix.acrossRails},
              {"without_rails", matrix.withoutRails}}},
            {"values", rows}};
}

// The finest division with no more rows than a spreadsheet can show.
std::optional<MatrixGrain> finestGrain(const Fabric& fabric) {
    const FabricCounts counts = countsOf(fabric);
    const auto most = static_cast<std::int64_t>(mostRows);
    return counts.gpus <= most ? MatrixGrain::Gpu : counts.servers <= most ? MatrixGrain::Server : MatrixGrain::Su;
}

Result<MapAnswer> trafficAnswer(const MapOptions& o, const LoadedDesign& loaded) {
    const Fabric& fabric = *loaded.fabric;
    const auto grain = o.by.empty() ? finestGrain(fabric) : matrixGrainFrom(o.by);
    if (!grain) return Error::usage(fmt::format("--by {}: must be one of gpu, server, hb-domain, su", o.by));
    const auto job = oneJobOf(o);
    if (!job) return job.errors();
    const auto request = job->request(*fabric.design);
    if (!request) return request.errors();
    const auto traffic = job->traffic(fabric, static_cast<std::uint64_t>(o.input.seed));
    if (!traffic) return traffic.errors();
    const TrafficMatrix matrix = trafficMatrix(fabric, *traffic, *grain);
    if (matrix.names.size() > mostRows)
        return Error::usage(fmt::format("--by {}: the matrix would have {} rows, and the maximum is {}; {}", o.by,
                                        formatCount(static_cast<std::int64_t>(matrix.names.size())), formatCount(mostRows),
                                        *grain == MatrixGrain::Gpu ? "use --by server, hb-domain or su" : "use --by su"));
    DenseTraffic grid{matrix.names, matrix.names, {}};
    grid.values.assign(matrix.names.size() * matrix.names.size(), 0.0);
    for (const TrafficMatrix::Cell& cell : matrix.cells) grid.values[grid.at(cell.column, cell.row)] = cell.total() / 1e9;
    if (o.writesJson() || o.json) {
        Json json = trafficJson(grid, matrix, *request, job->source(*fabric.design));
        return MapAnswer{std::move(json), o.writesJson() ? std::string() : gridCsv(grid, "sender\\receiver")};
    }
    return MapAnswer{Json::object(), gridCsv(grid, "sender\\receiver")};
}

} // namespace

const MapInfo trafficMap{"traffic", {"--by", "--gpus"}, trafficAnswer, nullptr};

} // namespace railyard::cli
