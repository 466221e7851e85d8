// The wiring of NICs to leaves: patterns rail and chassis.
#pragma once

#include "core/fabric/link_writer.h"

#include <span>

namespace railyard {

void wireHosts(LinkWriter& write, const WiringRule& rule, std::span<const DeviceId> lowers, std::span<const DeviceId> uppers,
               std::uint8_t speed);

} // namespace railyard
