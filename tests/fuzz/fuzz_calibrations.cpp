// A calibration that is read gives times that are numbers.
#include "core/collective/collective.h"
#include "core/collective/library/calibration.h"
#include "core/training/measurements.h"
#include "core/training/training.h"
#include "core/workload/models_json.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

using namespace railyard;

namespace {

void checkTraining(const std::string& text) {
    TrainingCalibration calibration = shippedTrainingCalibration();
    if (!fuzz::isRead(addCalibrationFile(text, "all_reduce.txt", calibration))) return;
    const PlacedJob placed = placedJob(usualJob(*modelOf("megatron-1.7b")), *fuzz::smallFabric(), RankOrder::Near);
    const auto estimate = estimateTraining(*fuzz::smallFabric(), placed, {}, calibration);
    if (fuzz::isRead(estimate))
        fuzz::require(std::isfinite(estimate->iteration.value()) && estimate->iteration > Seconds(), "iterations are positive numbers");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = fuzz::textOf(data, size);
    checkTraining(text);
    const auto calibration = readCalibration(text, "fuzz.json");
    if (!fuzz::isRead(calibration)) return 0;
    const auto group = Communicator::create(*fuzz::smallFabric(), 0, RankOrder::Near, *calibration);
    if (!fuzz::isRead(group)) return 0;
    const auto result = group->time(CollectiveOp::AllReduce, Bytes(1 << 20));
    if (fuzz::isRead(result))
        fuzz::require(std::isfinite(result->best.time.value()) && result->best.time.value() > 0, "times are positive numbers");
    return 0;
}
