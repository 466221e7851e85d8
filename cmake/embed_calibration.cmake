# Writes the calibration into a C++ source, so that the program needs no data folder at run time.
# Called as: cmake -DOUT=... -DFILE=collectives.json -P embed_calibration.cmake
file(READ "${FILE}" body)
file(WRITE "${OUT}" "// Generated from resources/calibration.
#include \"core/collective/shipped_calibration.h\"

namespace railyard {

std::string shippedCalibrationText() { return R\"CALIBRATION(${body})CALIBRATION\"; }

} // namespace railyard
")
