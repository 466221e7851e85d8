// Calibrations: the one compiled into the program, and files of the same form.
#pragma once

#include "core/collective/library/calibration.h"

namespace railyard {

const Calibration& shippedCalibration();
Result<Calibration> readCalibration(const std::string& text, const std::string& file);

} // namespace railyard
