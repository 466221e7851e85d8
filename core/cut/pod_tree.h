// Pods, blocks of pods and root of an even fabric, each as one node of a tree: what the pod certificate is worked out on.
#pragma once

#include "core/cut/stars.h"

namespace railyard {

// Leaves of a star that stand in one pod.
struct PodLeg {
    std::size_t pod = 0;
    double leaves = 0;
};
struct PodStar {
    const Star* star;
    std::vector<PodLeg> legs; // two where an SU spans two pods
};
struct PodTree {
    std::vector<double> uplinks;         // of every pod: of all its spines
    std::vector<std::size_t> block;      // of every pod; pods of one stand side by side
    std::vector<double> blockUplinks;    // of all superspines of a block; infinite where they are the top: the block is the root
    std::vector<PodStar> stars;          // in path order
    std::vector<std::uint32_t> crossing; // of each star: the endpoint it shares with the next, or none
};

// Nothing where groups are uneven or networks differ: one node would then carry more than the switches it stands for.
std::optional<PodTree> podTreeOf(const SwitchGraph& graph, const StarChain& chain);
// All stars below one node: what stands above the leaves is wide enough to act as one.
PodTree treeOfOneNode(const StarChain& chain);

} // namespace railyard
