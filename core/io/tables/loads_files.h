// Link loads as CSV and JSON.
#pragma once

#include "core/json/json_view.h"
#include "core/routing/load_summary.h"

namespace railyard {

// One row per link, in fabric order: a_device, a_port, b_device, b_port, tier, and for each direction the load in units of the
// total traffic of one GPU, and the utilisation.
std::string loadsCsv(const Fabric& fabric, const LinkLoads& loads);
Json toJson(const Fabric& fabric, const LinkLoads& loads, const LoadSummary& summary);

} // namespace railyard
