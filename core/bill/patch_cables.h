// Which links share a cable that is bought, labelled and laid. Internal to core/bill.
#pragma once

#include "core/bill/cabling.h"

#include <utility>
#include <vector>

namespace railyard {

// The places of the ports in their cages, from 0.
struct CagePositions {
    UnsetBy<CabledLinkId, std::uint32_t> a, b;
};

// Sets `patch` of all links with known modules and lets `cable` follow. A cable has one plug for each socket that it joins: it runs from
// one socket to one socket, or as a splitter from one socket to several. Answers the links that share a socket at both ends, in order, with
// the shape of their cable; of all others the modules decide it.
std::vector<std::pair<CabledLinkId, FibreShape>> groupPatchCables(CagePositions positions, Cabling& cabling);

} // namespace railyard
