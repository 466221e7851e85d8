// The ports of the devices of a flat fabric, from the links that use them and the parts of the catalogue.
#pragma once

#include "core/catalog/catalog.h"
#include "core/io/formats/flat_fabric.h"

namespace railyard {

// By device. Ports that no link uses are known only from the part of a switch or NIC; a device without links and part has none.
std::vector<std::vector<PortGroup>> portsOf(const FlatFabric& flat, const Catalog& catalog);

} // namespace railyard
