// The elaborated fabric as CSV: one row per device, one per link.
#pragma once

#include "core/bill/cabling.h"
#include "core/floor/floor.h"

#include <string>
#include <string_view>
#include <vector>

namespace railyard {

std::string devicesCsv(const Fabric& fabric, const Floor& floor);
std::string linksCsv(const Fabric& fabric, const Cabling& cabling);
// Both, those of the networks beside the compute fabric, and feeds.csv and ocs.csv where racks hang on one feed and where there are optical
// circuit switches, into a folder; none is replaced before all are written. `files` gets
// their paths.
Status writeFabricCsv(const Fabric& fabric, const std::string& folder, std::vector<std::string>& files);

} // namespace railyard
