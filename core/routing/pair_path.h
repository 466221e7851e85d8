// The paths of traffic between two GPUs.
#pragma once

#include "core/routing/link_loads.h"

namespace railyard {

struct PairPath {
    std::vector<double> ofLinks; // by link: the share of the traffic that it carries; below 0 for links that are not on a path
    std::string words;           // su[1]/srv[1]/nic[1] → su[1]/leaf[1] → 16 spines → su[2]/leaf[1] → su[2]/srv[1]/nic[1]
    bool isForwarded = false;    // inside an HB domain, because their NICs are not in a common network
};
// All shortest paths with an even division. Errors: there is no path.
Result<PairPath> pathBetween(const Fabric& fabric, DeviceId from, DeviceId to);

} // namespace railyard
