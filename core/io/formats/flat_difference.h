// What an elaborated fabric has in another way than the flat fabric that it was drawn from.
#pragma once

#include "core/fabric/fabric.h"
#include "core/io/formats/flat_fabric.h"

namespace railyard {

// Sentences with FILE:LINE, at most 100 and a count of the rest. Empty: the two are the same, device by device and link by link.
std::vector<std::string> differencesFrom(const FlatFabric& flat, const Fabric& fabric);

} // namespace railyard
