#include "core/training/gpu_speed.h"

#include "core/base/shipped.h"
#include "core/json/json_view.h"
#include "core/training/shipped_training_calibration.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::int64_t formatNumber = 1;

GpuConstants readGeneration(const JsonView& view) {
    constexpr double micro = 1e-6, mostMicroseconds = 1e5;
    GpuConstants constants;
    if (view.has("gpus")) view.eachText("gpus", [&](const std::string& id) { constants.gpus.push_back(id); });
    constants.isCalibrated = view.flag("is_calibrated", false);
    constants.matrixShare = view.between("matrix_share", 0.01, 1);
    constants.attentionShare = view.between("attention_share", 0.01, 1);
    constants.memoryShare = view.between("memory_share", 0.01, 1);
    constants.matrixOverhead = view.between("matrix_overhead_us", 0, mostMicroseconds) * micro;
    constants.kernelOverhead = view.between("kernel_overhead_us", 0, mostMicroseconds) * micro;
    constants.matrixMemoryShare = view.has("matrix_memory_share") ? view.between("matrix_memory_share", 0.01, 1) : constants.memoryShare;
    if (view.has("attention_half_keys")) constants.attentionHalfKeys = view.between("attention_half_keys", 0, 1e6);
    if (view.has("attention_half_width")) constants.attentionHalfWidth = view.between("attention_half_width", 0, 1e6);
    if (view.has("launch_overhead_us")) constants.launchOverhead = view.between("launch_overhead_us", 0, mostMicroseconds) * micro;
    if (view.has("experts")) {
        const JsonView experts = view.at("experts");
        constants.groupedShare = experts.between("grouped_share", 0.01, 1);
        constants.expertMoves = experts.between("moves", 0, 1000);
        constants.expertOverhead = experts.between("layer_overhead_us", 0, mostMicroseconds) * micro;
        constants.ofExperts = GpuConstants::OfExperts{experts.flag("is_calibrated", false), experts.between("time_low_ratio", 0.01, 1),
                                                      experts.between("time_high_ratio", 1, 100)};
    }
    for (const auto& [key, into] : {std::pair("fp8", &constants.fp8), std::pair("fp4", &constants.fp4)})
        if (view.has(key)) {
            const JsonView own = view.at(key);
            *into =
                MatrixConstants{own.between("matrix_share", 0.01, 1), own.between("matrix_overhead_us", 0, mostMicroseconds) * micro,
                                own.has("matrix_memory_share") ? own.between("matrix_memory_share", 0.01, 1) : constants.matrixMemoryShare,
                                own.has("grouped_share") ? own.between("grouped_share", 0.01, 1) : constants.groupedShare};
        }
    constants.low = view.between("time_low_ratio", 0.01, 1);
    constants.high = view.between("time_high_ratio", 1, 100);
    return constants;
}

} // namespace

GpuConstants GpuConstants::in(Precision precision) const {
    GpuConstants own = *this;
    const auto& measured = precision == Precision::Fp8 ? fp8 : precision == Precision::Fp4 ? fp4 : std::optional<MatrixConstants>();
    if (measured) {
        own.matrixShare = measured->share;
        own.matrixOverhead = measured->overhead;
        own.matrixMemoryShare = measured->memoryShare;
        own.groupedShare = measured->groupedShare;
    }
    if (!measured && precision != Precision::Bf16) {
        own.isCalibrated = false;
        if (own.ofExperts) own.ofExperts->isCalibrated = false;
    }
    return own;
}

double GpuConstants::attentionShareOf(double keys, double width) const {
    constexpr double usual = 128;
    const double ofKeys = keys > 0 ? keys / (keys + attentionHalfKeys) : 1;
    const double ofWidth = width > 0 ? width / (width + attentionHalfWidth) * (usual + attentionHalfWidth) / usual : 1;
    return std::min(1.0, attentionShare * ofKeys * ofWidth);
}

HostShare HostShare::least(const HostShare& other) const {
    return {std::min(memoryBytes, other.memoryBytes), std::min(memoryBandwidth, other.memoryBandwidth),
            std::min(linkBandwidth, other.linkBandwidth)};
}

double Stragglers::expectedSlowdown(std::int64_t servers) const {
    return 1 + (timeRatio - 1) * (1 - std::pow(1 - share, static_cast<double>(servers)));
}

double Stragglers::slowdownAt(double percentile, std::int64_t servers) const {
    return percentile <= std::pow(1 - share, static_cast<double>(servers)) ? 1 : timeRatio;
}

const GpuConstants& TrainingCalibration::constantsOf(const std::string& gpu) const {
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
        calibration.optimizerBytes = root.between("optimizer_bytes_per_parameter", 1, 1000);
        calibration.reservedBytes = root.between("reserved_gib", 0, 1000) * (1 << 30);
        if (root.has("host_gbytes_s")) calibration.hostBandwidth = root.between("host_gbytes_s", 0.1, 10000) * 1e9;
        if (root.has("host_memory_gbytes_s")) calibration.hostMemoryBandwidth = root.between("host_memory_gbytes_s", 0.1, 10000) * 1e9;
        if (root.has("tensor_overlap_cost")) calibration.tensorOverlapCost = root.between("tensor_overlap_cost", 0, 1);
        calibration.dataOverlapShare = root.between("data_overlap_share", 0, 1);
        if (root.has("stragglers")) {
            const JsonView stragglers = root.at("stragglers");
            if (!stragglers.isObject()) {
                stragglers.fail("", "is not an object; write {\"share\": 0.005, \"time_ratio\": 1.1}");
            } else {
                calibration.stragglers = {stragglers.between("share", 0, 1), stragglers.between("time_ratio", 1, 100)};
            }
        }
        root.eachItem("generations", [&](const JsonView& view) { calibration.generations.push_back(readGeneration(view)); });
        if (source.errors.empty() && (calibration.generations.empty() || !calibration.generations.back().gpus.empty()))
            root.fail("generations", "must end with one without \"gpus\", which is used for all other GPUs");
    }
    if (!source.errors.empty()) return source.errors;
    return calibration;
}

const TrainingCalibration& shippedTrainingCalibration() {
    static const TrainingCalibration shipped =
        shippedOrAbort(readTrainingCalibration(shippedTrainingCalibrationText(), "training.json"), "calibration of training");
    return shipped;
}

} // namespace railyard
