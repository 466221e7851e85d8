// A calibration that is read gives times that are numbers.
#include "core/collective/collective.h"
#include "core/collective/library/calibration.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto calibration = readCalibration(fuzz::textOf(data, size), "fuzz.json");
    if (!fuzz::isRead(calibration)) return 0;
    const auto group = Communicator::of(*fuzz::smallFabric(), 0, RankOrder::Near, *calibration);
    if (!fuzz::isRead(group)) return 0;
    const auto result = group->time(CollectiveOp::AllReduce, Bytes(1 << 20));
    if (fuzz::isRead(result))
        fuzz::require(std::isfinite(result->best.time.value()) && result->best.time.value() > 0, "times are positive numbers");
    return 0;
}
