// Leaves that serve the same endpoints form a star, which is the basis of the tree bounds.
#pragma once

#include "core/bisection/problem/endpoints.h"

#include <optional>
#include <utility>
#include <vector>

namespace railyard {

// An endpoint of several stars: an HB domain whose servers are connected to several leaves.
struct SharedEndpoint {
    std::uint32_t endpoint = 0;
    Bandwidth perLink; // per leaf of this star
};
struct Star {
    std::vector<std::uint32_t> endpoints; // that belong to this star only, sorted
    std::vector<NodeId> leaves;
    Bandwidth perLink, uplink; // from an endpoint to a leaf; uplinks of a leaf
    std::vector<SharedEndpoint> shared;
};

// What hangs on every node, in order, each endpoint once with all its cables.
std::vector<std::vector<std::pair<std::uint32_t, Bandwidth>>> endpointsOfNodes(const SwitchGraph& graph, const Endpoints& ends);
// The rails of an SU are a star, in path order; empty if an endpoint belongs to two stars or the links of a leaf differ.
std::optional<std::vector<Star>> starsOf(const SwitchGraph& graph, const Endpoints& ends);
// The same with endpoints that belong to two adjacent stars, at most one for each pair; by star the endpoint that it shares with
// the next star, or none.
struct StarChain {
    std::vector<Star> stars;
    std::vector<std::uint32_t> crossing;
    bool isTied() const; // an endpoint is shared
};
std::optional<StarChain> starChainOf(const SwitchGraph& graph, const Endpoints& ends);

bool isRegular(const SwitchGraph& graph); // every group is regular
// True if the network above the leaves carries all that their uplinks send, and if every star reaches all separate networks in
// the same way: then it acts as a single node.
bool carriesAllUplinks(const SwitchGraph& graph);
bool reachEqually(const SwitchGraph& graph, const Endpoints& ends, const std::vector<Star>& stars);

} // namespace railyard
