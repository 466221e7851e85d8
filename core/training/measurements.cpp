#include "core/training/measurements.h"

#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/training/collective_measurements.h"
#include "core/training/layer_times.h"
#include "core/training/training.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

std::string lastPart(const std::string& file) { return file.substr(file.find_last_of('/') + 1); }

void count(CalibrationCheck& check, double error, const std::string& what) {
    check.meanError += std::abs(error);
    if (check.count++ == 0 || std::abs(error) > std::abs(check.worstError)) check.worstError = error, check.worst = what;
}

} // namespace

Status addCalibrationFile(const std::string& path, TrainingCalibration& into) {
    const auto text = readText(path);
    return text ? addCalibrationFile(*text, path, into) : Status(text.errors());
}

Status addCalibrationFile(const std::string& text, const std::string& file, TrainingCalibration& into) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && text[first] == '{') {
        auto own = readTrainingCalibration(text, file);
        if (!own) return own.errors();
        own->measured = std::move(into.measured);
        own->collectives = std::move(into.collectives);
        into = std::move(*own);
        return Done{};
    }
    if (isNcclTest(text)) {
        auto tests = readNcclTests(text, file);
        if (!tests) return tests.errors();
        for (const NcclTest& test : *tests)
            for (const NcclTest& other : into.collectives)
                if (other.op == test.op && other.ranks == test.ranks)
                    return Error::file(file, fmt::format("{} with {} ranks was measured in another file already; give one of them",
                                                         toText(test.op), test.ranks));
        into.collectives.insert(into.collectives.end(), tests->begin(), tests->end());
    } else {
        if (into.measured) return Error::file(file, "measured operations are in another file already; put all rows into one");
        auto measured = MeasuredTimes::read(text, file);
        if (!measured) return measured.errors();
        into.measured = std::make_shared<const MeasuredTimes>(std::move(*measured));
    }
    into.name += " + " + lastPart(file);
    return Done{};
}

Result<std::vector<CalibrationCheck>> checksOf(const Fabric& fabric, const std::vector<DeviceId>& gpus,
                                               const TrainingCalibration& calibration) {
    std::vector<CalibrationCheck> checks;
    if (calibration.measured && !gpus.empty()) {
        TrainingCalibration builtIn = calibration;
        builtIn.measured = nullptr;
        const auto speed = speedOf(fabric, gpus.front(), Precision::Bf16, builtIn);
        if (!speed) return speed.errors();
        CalibrationCheck check{fmt::format("operations on {}", speed->name), 0, 0, 0, {}};
        for (const MeasuredOperation& each : calibration.measured->operations()) {
            constexpr const char* names[] = {"matmul", "attention", "move"};
            count(check, timeOf(each, *speed) / each.time - 1,
                  fmt::format("{} {}", names[static_cast<std::size_t>(each.kind)], each.shape));
        }
        checks.push_back(std::move(check));
    }
    const CollectiveMeasurements measured(fabric, gpus, calibration.collectives);
    for (const CollectiveMeasurements::Curve& curve : measured.curves()) {
        CalibrationCheck check{fmt::format("{} of {} ranks", toText(curve.op), curve.ranks), 0, 0, 0, {}};
        for (const auto& [bytes, factor] : curve.factors) count(check, 1 / factor - 1, formatBytes(Bytes(bytes)));
        checks.push_back(std::move(check));
    }
    for (CalibrationCheck& each : checks) each.meanError /= static_cast<double>(each.count);
    return checks;
}

} // namespace railyard
