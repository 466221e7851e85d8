// A list of GPUs in rank order: one path per line, starting with rank 0; empty lines and `#` comments are skipped.
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

// Returns device indices. Reports every line that is not a GPU of the fabric or that repeats a GPU.
Result<std::vector<DeviceId>> readRankList(const Fabric& fabric, const std::string& path);
Result<std::vector<DeviceId>> rankListFrom(const Fabric& fabric, const std::string& text, const std::string& path);

} // namespace railyard
