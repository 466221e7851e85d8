// Which links share a cable that is bought, labelled and laid. Internal to core/bill.
#pragma once

#include "core/bill/cabling.h"

#include <vector>

namespace railyard {

// The places of the ports in their cages, from 0.
struct CagePositions {
    UnsetBy<CabledLinkId, std::uint32_t> a, b;
};

// Links that follow one another, whose cables have one shape.
struct ShapedLinks {
    CabledLinkId first, end; // end: behind the last
    FibreShape shape = FibreShape::Crossed;
    Indices<CabledLinkId> ids() const { return {first, end}; }
};

// Sets `patch` of all links and lets `cable` follow. A cable has one plug for each socket that it joins: it runs from
// one socket to one socket, or as a splitter from one socket to several. Answers the links that share a socket at both ends, in order, with
// the shape of their cable; of all others the modules decide it.
std::vector<ShapedLinks> groupPatchCables(CagePositions positions, Cabling& cabling);

} // namespace railyard
