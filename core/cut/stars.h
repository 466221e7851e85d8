// Leaves that serve the same endpoints, as one star: what the tree certificates are built from.
#pragma once

#include "core/cut/certificate.h"

namespace railyard {

struct Star {
    std::vector<std::uint32_t> endpoints; // sorted
    std::vector<std::uint32_t> leaves;
    double perLink = 0, uplink = 0; // of an endpoint on one leaf; of one leaf
};

// The rails of an SU are one star; nothing where an endpoint hangs on two stars or links of a leaf differ.
std::optional<std::vector<Star>> starsOf(const SwitchGraph& graph, const Endpoints& ends);

} // namespace railyard
