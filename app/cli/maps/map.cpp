#include "app/cli/maps/map.h"

#include "app/cli/options/say_progress.h"
#include "core/base/unit_text.h"
#include "core/io/results/results_json.h"

#include <fmt/format.h>

namespace railyard::cli {

namespace {
struct CurveGrid { // rows with names
    std::vector<double> x;
    std::vector<std::string> y;
    std::vector<std::optional<double>> values;
    std::size_t at(std::size_t column, std::size_t row) const { return row * x.size() + column; }
};
} // namespace

MapAnswer answerOf(const HeatGrid& grid) {
    const std::string corner = grid.yName + "\\" + grid.xName;
    return {toJson(grid), grid.yNames.empty() ? gridCsv(grid, corner) : gridCsv(CurveGrid{grid.x, grid.yNames, grid.values}, corner)};
}

Result<CollectiveOp> operationOf(const MapOptions& o) {
    if (const auto op = collectiveOpFrom(o.op)) return *op;
    return Error::usage(fmt::format(
        "--op {}: must be one of all-reduce, all-gather, reduce-scatter, all-to-all, broadcast, reduce, gather, scatter, p2p", o.op));
}

Result<std::vector<Bytes>> sizesOf(const MapOptions& o) {
    std::vector<Bytes> sizes;
    for (const std::string& text : o.sizes) {
        auto size = parseBytes(text);
        if (!size) return Error::usage("--size: " + size.error().text);
        if (size->count() == 0) return Error::usage("--size: must be greater than 0");
        sizes.push_back(*size);
    }
    return sizes;
}

// --gpus of the verb is a list, for maps over cluster sizes.
Result<JobOptions> oneJobOf(const MapOptions& o) {
    if (!o.traffic.pattern.empty() && o.traffic.pattern != JobOptions::kind)
        return Error::usage(fmt::format("--pattern {}: --kind {} shows a training job (--model, --tp, ...); use --kind link-load for other "
                                        "patterns",
                                        o.traffic.pattern, o.kind));
    JobOptions job = o.traffic.job;
    if (o.gpus.size() > 1) return Error::usage(fmt::format("--gpus: --kind {} shows one job; give one number", o.kind));
    if (!o.gpus.empty()) job.setGpus(o.gpus.front());
    return job;
}

Result<std::vector<std::int64_t>> serversWithFailures(const MapOptions& o, const Fabric& fabric, const std::vector<std::int64_t>& asked) {
    if (!o.input.hasFailures()) return asked;
    const std::int64_t own = countsOf(fabric).servers;
    if (!o.servers.empty() && (asked.size() > 1 || asked.front() != own))
        return Error::usage(fmt::format("--servers: with failures, only the size of the design itself ({}) is available, because other "
                                        "sizes rebuild the intact recipe",
                                        own));
    return std::vector<std::int64_t>{own};
}

TaskContext mapContext() {
    return {0, [](std::int64_t done, std::int64_t all) { sayProgress(done, all, "rows of the map computed"); }, {}};
}

// Every cell of most maps is a fabric of its own.
Status axesAreShort(const MapOptions& o) {
    constexpr std::size_t mostValues = 100;
    for (const auto& [option, count] :
         {std::pair("--size", o.sizes.size()), std::pair("--servers", o.servers.size()), std::pair("--gpus", o.gpus.size()),
          std::pair("--hb-domain-gpus", o.domains.size()), std::pair("--nic-gbps", o.bandwidths.nicGbps.size()),
          std::pair("--hb-gbps", o.bandwidths.hbGbps.size())})
        if (count > mostValues)
            return Error::usage(fmt::format("{}: {} values; a heat map has at most {} on each axis", option, count, mostValues));
    return Done{};
}

} // namespace railyard::cli
