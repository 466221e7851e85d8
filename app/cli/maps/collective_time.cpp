#include "app/cli/maps/map.h"

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
    const auto servers = serversWithFailures(o, *loaded.fabric, o.servers.empty() ? usualServerCounts(*loaded.fabric) : o.servers);
    if (!servers) return servers.errors();
    if (o.against.empty()) return collectiveTimeGrid(*loaded.fabric, *op, *sizes, *servers, *calibration, mapContext());
    if (o.against == "rdma") {
        if (o.transport != "tcp") return Error::usage("--against rdma: requires --transport tcp; otherwise name a design");
        return tcpDifferenceGrid(*loaded.fabric, *op, *sizes, *servers, mapContext());
    }
    DesignInput input;
    input.file = o.against;
    const auto other = load(input);
    if (!other) return other.errors();
    return timeDifferenceGrid(*other->fabric, *loaded.fabric, *op, *sizes, *servers, *calibration, mapContext());
}

Result<MapAnswer> collectiveTimeAnswer(const MapOptions& o, const LoadedDesign& loaded) {
    const auto grid = gridOf(o, loaded);
    return grid ? Result<MapAnswer>(answerOf(*grid)) : grid.errors();
}

} // namespace

const MapInfo collectiveTimeMap{
    "collective-time", {"--op", "--size", "--transport", "--servers", "--against"}, collectiveTimeAnswer, nullptr};

} // namespace railyard::cli
