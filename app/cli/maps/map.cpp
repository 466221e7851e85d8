#include "app/cli/maps/map.h"

#include "core/base/unit_text.h"
#include "core/io/results/results_json.h"

#include <fmt/format.h>

namespace railyard::cli {

MapAnswer answerOf(const HeatGrid& grid) { return {toJson(grid), gridCsv(grid, grid.yName + "\\" + grid.xName)}; }

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
