// Servers that are trays of a rack system: bought, delivered and cabled with their rack.
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

// The rack with which a tray is bought; null for a server that is bought alone.
const Part* rackSystemOf(const Fabric& fabric, ServerId server);

} // namespace railyard
