#include "app/cli/maps/map.h"

namespace railyard::cli {
namespace {

Result<MapAnswer> hbNicAnswer(const MapOptions& o, const LoadedDesign& loaded) {
    if (Status axes = axesAreShort(o); !axes) return axes.errors();
    const auto op = operationOf(o);
    if (!op) return op.errors();
    auto sizes = sizesOf(o);
    if (!sizes) return sizes.errors();
    const auto calibration = over(*transportFrom(o.transport), shippedCalibration());
    if (!calibration) return calibration.errors();
    if (sizes->size() > 1) return Error::usage("--size: --kind hb-nic takes one message size");
    const auto grid = hbNicGrid(*loaded.fabric, *op, sizes->empty() ? Bytes(std::int64_t{256} << 20) : sizes->front(), o.bandwidths,
                                *calibration, mapContext());
    return grid ? Result<MapAnswer>(answerOf(*grid)) : grid.errors();
}

} // namespace

const MapInfo hbNicMap{"hb-nic", {"--op", "--size", "--transport", "--nic-gbps", "--hb-gbps"}, hbNicAnswer, nullptr};

} // namespace railyard::cli
