// Reads the flat fabric that `export --format csv` writes: devices.csv and links.csv.
#pragma once

#include "core/base/result.h"
#include "core/io/formats/flat_fabric.h"

#include <string>

namespace railyard {

// The columns may stand in any order; `rack`, `u`, `x_m`, `y_m`, `cable`, `medium`, `length_m` are derived, and are not read. Errors: up to
// 100 of both files, each with its line and the column's number.
Result<FlatFabric> readFlatCsv(const std::string& devicesText, const std::string& devicesFile, const std::string& linksText,
                               const std::string& linksFile);

} // namespace railyard
