# Writes one file into a C++ source as a function that returns its text, so that the program needs no data folder at run time.
# Called as: cmake -DOUT=... -DFILE=collectives.json -DHEADER=core/collective/library/shipped_calibration.h -DFUNCTION=shippedCalibrationText -P embed_text.cmake
file(READ "${FILE}" body)
file(WRITE "${OUT}" "// Generated from ${FILE}.
#include \"${HEADER}\"

namespace railyard {

std::string ${FUNCTION}() { return R\"SHIPPED(${body})SHIPPED\"; }

} // namespace railyard
")
