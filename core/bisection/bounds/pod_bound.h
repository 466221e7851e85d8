// The tree bound one and two tiers higher.
#pragma once

#include "core/bisection/problem/endpoints.h"
#include "core/bisection/problem/lower_bound.h"

#include <vector>

namespace railyard {

// The tree bound one and two tiers higher, with pods and blocks of pods as nodes. 0 if it does not apply or is too large.
struct PodBound {
    LowerBound lower;
    std::vector<bool> sideA;     // by endpoint: a partition with at most this cut; empty if the bound is 0
    std::uint32_t halved = none; // the endpoint that is split between the sides
};
// With `halveOne`, the bound for partitions of an odd number of endpoints into halves where endpoints are hubs: the GPUs of
// a hub may be divided between the sides, and exactly one hub is divided into halves.
PodBound podBound(const SwitchGraph& graph, const Endpoints& ends, bool halveOne = false);

} // namespace railyard
