// Pods, blocks of pods and the root of a regular fabric as nodes of a tree, on which the pod bound is computed.
#pragma once

#include "core/bisection/bounds/stars.h"

namespace railyard {

// The leaves of a star in one pod.
struct PodLeg {
    std::size_t pod = 0;
    double leaves = 0;
};
struct PodStar {
    const Star* star;
    std::vector<PodLeg> legs; // two if an SU spans two pods
};
struct PodTree {
    std::vector<Bandwidth> uplinks;      // by pod: capacity of all its spines
    std::vector<std::size_t> block;      // by pod; the pods of a block are adjacent
    std::vector<Bandwidth> blockUplinks; // by block: capacity of its superspines; infinite if they are the top tier (the block is the root)
    std::vector<PodStar> stars;          // in path order
    std::vector<std::uint32_t> crossing; // by star: the endpoint that it shares with the next star, or none
};

// Empty if groups are irregular or networks differ, because a node would then carry more than the switches it represents.
std::optional<PodTree> podTreeOf(const SwitchGraph& graph, const StarChain& chain);
// All stars below one node, if the tiers above the leaves have enough capacity to act as one.
PodTree treeOfOneNode(const StarChain& chain);

} // namespace railyard
