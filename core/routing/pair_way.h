// The ways that data takes from one GPU to another.
#pragma once

#include "core/routing/link_loads.h"

namespace railyard {

struct PairWay {
    std::vector<double> ofLinks; // by link: the part of the data that it carries; below 0 for links beside the way
    std::string words;           // su[1]/srv[1]/nic[1] → su[1]/leaf[1] → 16 spines → su[2]/leaf[1] → su[2]/srv[1]/nic[1]
    bool isForwarded = false;    // inside an HB domain, for no network joins their own NICs
};
// All shortest ways, divided evenly. Errors: nothing joins them.
Result<PairWay> wayBetween(const Fabric& fabric, std::uint32_t from, std::uint32_t to);

} // namespace railyard
