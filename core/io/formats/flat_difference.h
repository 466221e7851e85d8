// What an elaborated fabric has in another way than the flat fabric that it was drawn from.
#pragma once

#include "core/fabric/fabric.h"
#include "core/io/formats/flat_fabric.h"

namespace railyard {

struct FlatDifferences {
    std::vector<std::string> sentences; // with FILE:LINE; at most 100, and how many more there are
    std::size_t count = 0;              // 0: the two are the same, device by device and link by link
};
FlatDifferences differencesFrom(const FlatFabric& flat, const Fabric& fabric);

} // namespace railyard
