// What forwarding inside HB domains with two levels of HB switches puts on the upper level.
#pragma once

#include "core/bisection/problem/endpoints.h"
#include "core/fabric/fabric.h"

namespace railyard {

// The largest load of an HB link between two HB switches, as a multiple of its speed, if every GPU sends and receives at its full NIC
// speed and each flow is forwarded over all NICs of the domain evenly: k of its x GPUs, which stand behind the same lower switches, put
// 2 k (x - k) / x times their speed on the links between the levels, one direction. 0 if there is one level. Infinite if the levels are
// irregular, so that an even division over their links is not certain.
double secondHbLevelCongestion(const Fabric& fabric, const Endpoints& ends);

} // namespace railyard
