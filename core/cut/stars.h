// Leaves that serve the same endpoints, as one star: what the tree certificates are built from.
#pragma once

#include "core/cut/certificate.h"

namespace railyard {

// An endpoint of several stars: an HB domain whose servers hang on several leaves.
struct SharedEndpoint {
    std::uint32_t endpoint = 0;
    double perLink = 0; // on one leaf of this star
};
struct Star {
    std::vector<std::uint32_t> endpoints; // of it alone, sorted
    std::vector<std::uint32_t> leaves;
    double perLink = 0, uplink = 0; // of an endpoint on one leaf; of one leaf
    std::vector<SharedEndpoint> shared;
};

// The rails of an SU are one star, in path order; nothing where an endpoint hangs on two stars or links of a leaf differ.
std::optional<std::vector<Star>> starsOf(const SwitchGraph& graph, const Endpoints& ends);
// The same where an endpoint may hang on stars side by side, at most one on any two of them; for each star the endpoint that
// it shares with the next, or none.
struct StarChain {
    std::vector<Star> stars;
    std::vector<std::uint32_t> crossing;
    bool isTied() const; // some endpoint is shared
};
std::optional<StarChain> starChainOf(const SwitchGraph& graph, const Endpoints& ends);

bool isEven(const SwitchGraph& graph); // every group of it
// Whether the network above the leaves carries all that their uplinks send, and whether every star reaches all of its separate
// networks alike: both together, and it acts as one node.
bool carriesAllUplinks(const SwitchGraph& graph);
bool reachAlike(const SwitchGraph& graph, const Endpoints& ends, const std::vector<Star>& stars);

} // namespace railyard
