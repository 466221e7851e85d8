// The wiring inside servers and HB domains: patterns hb-star, hb-mesh, hb-cube and pcie.
#pragma once

#include "core/fabric/link_writer.h"

#include <span>

namespace railyard {

bool joinsDomains(const WiringRule& rule); // it says which servers make an HB domain

// `devices`: all that stand in the block of the rule, whose HB domain it may set.
void wireServers(LinkWriter& write, const WiringRule& rule, std::span<const DeviceId> lowers, std::span<const DeviceId> uppers,
                 std::uint8_t speed, Indices<DeviceId> devices);

} // namespace railyard
