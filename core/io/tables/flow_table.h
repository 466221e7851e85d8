// What GPUs send to each other as CSV that `loads --pattern FILE.csv` reads: from, to, volume.
#pragma once

#include "core/base/result.h"
#include "core/routing/link_loads.h"

#include <string>
#include <vector>

namespace railyard {

Status writeFlows(const Fabric& fabric, const std::vector<GpuFlow>& flows, const std::string& path);

} // namespace railyard
