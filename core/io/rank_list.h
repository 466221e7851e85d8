// The GPUs of a group as people list them: one path a line, rank 0 first; empty lines and `#` comments are passed over.
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

// Devices of the fabric. Reports every line that names no GPU of it, or one that an earlier line names.
Result<std::vector<std::uint32_t>> readRankList(const Fabric& fabric, const std::string& path);

} // namespace railyard
