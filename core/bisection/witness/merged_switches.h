// The switches of a problem as far as its cuts tell them apart, so that a cut is found in a network that is as small as its symmetry
// allows.
#pragma once

#include "core/bisection/problem/bisection_problem.h"

#include <cstdint>
#include <vector>

namespace railyard {

// Merged are twins, which have the same links to the same others and the same endpoints, and in networks that are alike, such as the rails
// of rail-only, the switches that correspond to one another. Links and attachments have the capacity of all that they stand for. Whatever
// set of endpoints is cut from the others, the cheapest cut costs as much as without merging, and its side A with the fewest switches has
// all of those that are merged or none: were twins apart, either could join the other at no cost, and what is cheapest in one network is
// so in those that are alike. HB links are not looked at.
struct MergedSwitches {
    struct Link {
        std::uint32_t lower = 0, upper = 0; // numbers of merged switches, which differ
        Bandwidth capacity;                 // per direction
    };
    struct Attachment {
        std::uint32_t endpoint = 0, at = 0; // at: the number of a merged switch
        Bandwidth capacity;
    };
    By<NodeId, std::uint32_t> number; // of a switch: that of those with which it is merged
    std::uint32_t count = 0;
    std::vector<Link> links;
    std::vector<Attachment> attachments;
    std::size_t withTwins = 0; // links and attachments before twins are merged
};

MergedSwitches mergedSwitchesOf(const BisectionProblem& q);

} // namespace railyard
