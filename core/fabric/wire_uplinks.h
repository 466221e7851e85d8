// The wiring of links to switches that several devices share: patterns spread and manager.
#pragma once

#include "core/fabric/link_writer.h"

#include <span>

namespace railyard {

void wireUplinks(LinkWriter& write, const WiringRule& rule, std::span<const DeviceId> lowers, std::span<const DeviceId> uppers,
                 std::uint8_t speed);

} // namespace railyard
