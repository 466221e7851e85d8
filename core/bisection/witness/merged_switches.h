// A smaller network with the same minimum cuts: switches that are equivalent for every cut are merged.
#pragma once

#include "core/bisection/problem/bisection_problem.h"

#include <cstdint>
#include <vector>

namespace railyard {

// Two kinds of switches are merged: twins, which have the same links to the same switches and the same endpoints, and corresponding
// switches of identical networks, such as the rails of rail-only. Merged links and attachments have the total capacity of those that they
// replace. For every partition of the endpoints, the minimum cut has the same value as without merging, and the minimum cut with the fewest
// switches on side A never separates merged switches: if it separated twins, either could change sides at no cost, and in identical
// networks the same switches are on side A. HB links are not part of this network.
struct MergedSwitches {
    struct Link {
        std::uint32_t lower = 0, upper = 0; // numbers of merged switches, which differ
        Bandwidth capacity;                 // per direction
    };
    struct Attachment {
        std::uint32_t endpoint = 0, at = 0; // at: the number of a merged switch
        Bandwidth capacity;
    };
    By<NodeId, std::uint32_t> number; // by switch: the number of its merged switch
    std::uint32_t count = 0;
    std::vector<Link> links;
    std::vector<Attachment> attachments;
    std::size_t withTwins = 0; // links and attachments before twins are merged
};

MergedSwitches mergedSwitchesOf(const BisectionProblem& q);

} // namespace railyard
