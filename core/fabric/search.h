// Finds elements by text: "su 3 leaf 4", "leaf[4]:17", "spine12", or part of a label.
#pragma once

#include "core/fabric/fabric.h"

#include <string>
#include <string_view>
#include <vector>

namespace railyard {

// Paths of devices, servers or ports, best match first. GPUs and NICs are found by their full path; switches, servers and SUs
// by words in any part of their path, in order, with exact numbers before prefixes; labelled elements also by their label.
std::vector<std::string> searchElements(const Fabric& fabric, std::string_view query, std::size_t most = 50);

// Paths of the devices of this part, and of the servers, in the order of the fabric.
std::vector<std::string> elementsWithPart(const Fabric& fabric, std::string_view partId);

} // namespace railyard
