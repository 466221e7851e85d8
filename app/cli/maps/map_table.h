// Every heat map of the command line, in the order of the help.
#pragma once

#include "app/cli/maps/map.h"

#include <span>

namespace railyard::cli {

std::span<const MapInfo* const> mapTable();
const MapInfo* mapNamed(std::string_view kind); // null if there is none
std::vector<std::string> mapsWith(std::string_view option);

} // namespace railyard::cli
