// Calibrations and measurements of the user, and how far the built-in curves were off.
#pragma once

#include "core/fabric/fabric.h"
#include "core/training/gpu_speed.h"

namespace railyard {

// A file of the user: a calibration in the program's own form (which replaces the shipped constants, and comes first), measured times of
// operations (measured_times.h), or the output of nccl-tests (nccl_tests.h); by its contents. Errors: those of its kind, a second file of
// measured operations, a second test of one operation and number of ranks.
Status addCalibrationFile(const std::string& text, const std::string& file, TrainingCalibration& into);
Status addCalibrationFile(const std::string& path, TrainingCalibration& into); // read here; errors also: it cannot be read

struct CalibrationCheck {
    std::string what; // operations on a GPU; an operation with its ranks
    std::size_t count = 0;
    double meanError = 0, worstError = 0; // built-in / measured - 1; the mean is that of the sizes of the errors
    std::string worst;                    // what was measured there
};
// One row for the measured operations, one for every test. Tests that need more GPUs than there are have none. Errors: as in speedOf.
Result<std::vector<CalibrationCheck>> checksOf(const Fabric& fabric, const std::vector<DeviceId>& gpus,
                                               const TrainingCalibration& calibration);

} // namespace railyard
