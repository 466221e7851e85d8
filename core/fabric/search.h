// Finding elements by what people type: "su 3 leaf 4", "leaf[4]:17", "spine12", part of a label.
#pragma once

#include "core/fabric/fabric.h"

#include <string>
#include <string_view>
#include <vector>

namespace railyard {

// Paths of devices, servers or ports, best first. GPUs and NICs are found by their whole path; switches, servers and SUs by
// any words of theirs in order, numbers matched whole before their beginnings; and what carries a label by it.
std::vector<std::string> searchElements(const Fabric& fabric, std::string_view query, std::size_t most = 50);

} // namespace railyard
