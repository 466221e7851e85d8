#include "app/cli/maps/map.h"

#include <fmt/format.h>

namespace railyard::cli {
namespace {

Result<HeatGrid> gridOf(const MapOptions& o, const LoadedDesign& loaded) {
    if (Status axes = axesAreShort(o); !axes) return axes.errors();
    const auto op = operationOf(o);
    if (!op) return op.errors();
    auto sizes = sizesOf(o);
    if (!sizes) return sizes.errors();
    const auto calibration = over(*transportFrom(o.transport), shippedCalibration());
    if (!calibration) return calibration.errors();
    if (sizes->empty()) *sizes = usualSizes();
    std::vector<std::int64_t> servers = o.servers.empty() ? usualServerCounts(*loaded.fabric) : o.servers;
    if (o.input.hasFailures()) {
        const std::int64_t own = countsOf(*loaded.fabric).servers;
        if (!o.servers.empty() && (servers.size() > 1 || servers.front() != own))
            return Error::usage(fmt::format("--servers: with failures, only the size of the design itself ({}) is available, because other "
                                            "sizes rebuild the intact recipe",
                                            own));
        servers = {own};
    }
    if (o.against.empty()) return collectiveTimeGrid(*loaded.fabric, *op, *sizes, servers, *calibration);
    if (o.against == "rdma") {
        if (o.transport != "tcp") return Error::usage("--against rdma: requires --transport tcp; otherwise name a design");
        return tcpDifferenceGrid(*loaded.fabric, *op, *sizes, servers);
    }
    DesignInput input;
    input.file = o.against;
    const auto other = load(input);
    if (!other) return other.errors();
    return timeDifferenceGrid(*other->fabric, *loaded.fabric, *op, *sizes, servers, *calibration);
}

Result<MapAnswer> collectiveTimeAnswer(const MapOptions& o, const LoadedDesign& loaded) {
    const auto grid = gridOf(o, loaded);
    return grid ? Result<MapAnswer>(answerOf(*grid)) : grid.errors();
}

} // namespace

const MapInfo collectiveTimeMap{
    "collective-time", {"--op", "--size", "--transport", "--servers", "--against"}, false, false, collectiveTimeAnswer, nullptr};

} // namespace railyard::cli
