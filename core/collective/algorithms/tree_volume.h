// What trees over HB domains move between them.
#pragma once

#include "core/collective/algorithms/algorithm.h"
#include "core/collective/communicator/neighbours.h"

namespace railyard {

// Over the NICs of the domain on which most edges of the two trees end, one direction.
inline Volume betweenTreeDomains(const Setting& s) {
    const auto halves = static_cast<int>(mostTreeEdges(s.links.domains));
    return halves % 2 == 0 ? halves == 2 ? s.size() : Volume(halves / 2) * s.size() : Volume(halves) * s.size() / 2;
}

} // namespace railyard
