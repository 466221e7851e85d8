// Loads of links as they leave the program.
#pragma once

#include "core/json/json_view.h"
#include "core/routing/load_summary.h"

namespace railyard {

// One row a link, in the order of the links: a_device, a_port, b_device, b_port, tier, and for either direction the load in
// units of what one GPU sends in all, and as a part of what the link carries.
std::string loadsCsv(const Fabric& fabric, const LinkLoads& loads);
Json toJson(const Fabric& fabric, const LinkLoads& loads, const LoadSummary& summary);

} // namespace railyard
