// Which links share a cable that is bought, labelled and laid. Internal to core/bill.
#pragma once

#include "core/bill/cabling.h"

#include <functional>

namespace railyard {

// The place of a port in its cage, from 0.
using PositionOf = std::function<std::uint32_t(DeviceId, PortId, std::uint8_t speed)>;

// Sets `patch` of all links with known modules and lets `cable` follow. A cable has one plug for each socket that it joins: it runs from
// one socket to one socket, or as a splitter from one socket to several. Answers the links that share a socket at both ends, in order, with
// the shape of their cable; of all others the modules decide it.
std::vector<std::pair<LinkId, FibreShape>> groupPatchCables(const Fabric& fabric, const PositionOf& positionOf, Cabling& cabling);

} // namespace railyard
