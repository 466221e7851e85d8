#include "core/training/gpu_speed.h"

#include "core/json/json_view.h"
#include "core/training/shipped_training_calibration.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::int64_t formatNumber = 1;

double within(const JsonView& view, std::string_view key, double low, double high) {
    const double value = view.number(key);
    if (view.has(key) && !(value >= low && value <= high)) view.fail(key, fmt::format("must be between {:g} and {:g}", low, high));
    return value;
}

GpuConstants readGeneration(const JsonView& view) {
    constexpr double micro = 1e-6, mostMicroseconds = 1e5;
    GpuConstants constants;
    if (view.has("gpus")) view.eachText("gpus", [&](const std::string& id) { constants.gpus.push_back(id); });
    constants.isCalibrated = view.flag("is_calibrated", false);
    constants.matrixShare = within(view, "matrix_share", 0.01, 1);
    constants.attentionShare = within(view, "attention_share", 0.01, 1);
    constants.memoryShare = within(view, "memory_share", 0.01, 1);
    constants.matrixOverhead = within(view, "matrix_overhead_us", 0, mostMicroseconds) * micro;
    constants.kernelOverhead = within(view, "kernel_overhead_us", 0, mostMicroseconds) * micro;
    constants.low = within(view, "time_low_ratio", 0.01, 1);
    constants.high = within(view, "time_high_ratio", 1, 100);
    return constants;
}

} // namespace

const GpuConstants& TrainingCalibration::of(const std::string& gpu) const {
    for (const GpuConstants& each : generations)
        if (std::find(each.gpus.begin(), each.gpus.end(), gpu) != each.gpus.end()) return each;
    return generations.back();
}

Result<TrainingCalibration> readTrainingCalibration(const std::string& text, const std::string& file) {
    auto json = parseJson(text, file);
    if (!json) return json.errors();
    const JsonSource source{file, text, std::move(*json), {}};
    const JsonView root = JsonView::root(source);
    if (root.text("calibration") != "training" && source.errors.empty())
        root.fail("calibration", "must be \"training\"; this file is not a calibration of training");
    root.integer("format", 1, formatNumber);
    TrainingCalibration calibration;
    calibration.name = file;
    if (source.errors.empty()) {
        calibration.optimizerBytes = within(root, "optimizer_bytes_per_parameter", 1, 1000);
        calibration.reservedBytes = within(root, "reserved_gib", 0, 1000) * (1 << 30);
        calibration.hostBandwidth = within(root, "host_gbytes_s", 0.1, 10000) * 1e9;
        calibration.dataOverlapShare = within(root, "data_overlap_share", 0, 1);
        root.eachItem("generations", [&](const JsonView& view) { calibration.generations.push_back(readGeneration(view)); });
        if (source.errors.empty() && (calibration.generations.empty() || !calibration.generations.back().gpus.empty()))
            root.fail("generations", "must end with one without \"gpus\", which is used for all other GPUs");
    }
    if (!source.errors.empty()) return source.errors;
    return calibration;
}

const TrainingCalibration& shippedTrainingCalibration() {
    static const TrainingCalibration shipped = [] {
        auto read = readTrainingCalibration(shippedTrainingCalibrationText(), "training.json");
        if (!read) { // the build ships this file and the tests read it: a broken one is a broken program
            std::fprintf(stderr, "railyard: the built-in calibration of training is broken: %s\n", toText(read.error()).c_str());
            std::abort();
        }
        return std::move(*read);
    }();
    return shipped;
}

} // namespace railyard
