#include "app/cli/maps/map.h"
#include "core/analysis/maps/curve_grids.h"

namespace railyard::cli {
namespace {

Result<MapAnswer> collisionsAnswer(const MapOptions&, const LoadedDesign& loaded) {
    const auto grid = collisionGrid(*loaded.fabric, mapContext());
    return grid ? Result<MapAnswer>(answerOf(*grid)) : grid.errors();
}

Result<MapAnswer> jobsAnswer(const MapOptions& o, const LoadedDesign& loaded) {
    const auto op = operationOf(o);
    if (!op) return op.errors();
    const auto sizes = sizesOf(o);
    if (!sizes) return sizes.errors();
    if (sizes->size() > 1) return Error::usage("--size: --kind jobs takes one message size");
    const Bytes size = sizes->empty() ? Bytes(std::int64_t{256} << 20) : sizes->front();
    const auto grid = concurrentJobsGrid(*loaded.fabric, *op, size, mapContext());
    return grid ? Result<MapAnswer>(answerOf(*grid)) : grid.errors();
}

} // namespace

const MapInfo collisionsMap{"collisions", {}, collisionsAnswer, nullptr};
const MapInfo jobsMap{"jobs", {"--op", "--size"}, jobsAnswer, nullptr};

} // namespace railyard::cli
