#include "app/cli/maps/map.h"
#include "core/analysis/maps/failure_grid.h"
#include "core/reliability/reliability_parameters.h"

namespace railyard::cli {
namespace {

// With the failure model of the design. Failures make other parts the only path, as `reliability --fail` says.
Result<MapAnswer> failureAnswer(const MapOptions&, const LoadedDesign& loaded) {
    return answerOf(failureGrid(*loaded.fabric, reliabilityOfDesign(*loaded.design), mapContext()));
}

} // namespace

const MapInfo failureMap{"failure", {}, failureAnswer, nullptr};

} // namespace railyard::cli
