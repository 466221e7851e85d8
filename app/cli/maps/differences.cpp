#include "app/cli/maps/map.h"
#include "core/analysis/maps/decision.h"

namespace railyard::cli {
namespace {

struct Axes {
    CollectiveOp op = CollectiveOp::AllReduce;
    std::vector<Bytes> sizes;
    std::vector<std::int64_t> servers;
};

Result<Axes> axesOf(const MapOptions& o, const Fabric& fabric) {
    if (Status axes = axesAreShort(o); !axes) return axes.errors();
    const auto op = operationOf(o);
    if (!op) return op.errors();
    auto sizes = sizesOf(o);
    if (!sizes) return sizes.errors();
    return Axes{*op, sizes->empty() ? usualSizes() : std::move(*sizes), o.servers.empty() ? usualServerCounts(fabric) : o.servers};
}

Result<MapAnswer> differenceAnswer(const MapOptions& o, const LoadedDesign& loaded) {
    const auto axes = axesOf(o, *loaded.fabric);
    if (!axes) return axes.errors();
    const auto grid = twinDifferenceGrid(*loaded.fabric, axes->op, axes->sizes, axes->servers, mapContext());
    return grid ? Result<MapAnswer>(answerOf(*grid)) : grid.errors();
}

Result<MapAnswer> tcpAnswer(const MapOptions& o, const LoadedDesign& loaded) {
    const auto axes = axesOf(o, *loaded.fabric);
    if (!axes) return axes.errors();
    const auto servers = serversWithFailures(o, *loaded.fabric, axes->servers);
    if (!servers) return servers.errors();
    const auto grid = tcpDifferenceGrid(*loaded.fabric, axes->op, axes->sizes, *servers, mapContext());
    return grid ? Result<MapAnswer>(answerOf(*grid)) : grid.errors();
}

} // namespace

const MapInfo differenceMap{"difference", {"--op", "--size", "--servers"}, differenceAnswer, nullptr};
const MapInfo tcpMap{"tcp", {"--op", "--size", "--servers"}, tcpAnswer, nullptr};

} // namespace railyard::cli
