// The exact bisection of two tiers whose leaves share out their uplinks unevenly in few ways: the last SU has fewer, a leaf lost some.
//
// A cut puts every endpoint, leaf and spine on a side. Given the sides of the spines, every leaf takes the cheaper side, and what an SU
// costs bends down with its endpoints on side A: the cheapest balanced partition divides at most one SU. Given the endpoints and leaves,
// spines with the same links stand on the same side. So the least over all sides of the kinds of spines is the bisection itself.
#pragma once

#include "core/bisection/problem/endpoints.h"
#include "core/bisection/problem/lower_bound.h"

#include <optional>
#include <vector>

namespace railyard {

struct SpineSidesBound {
    LowerBound lower;
    std::vector<bool> sideA; // by endpoint: a partition with this cut
};
// Empty where it does not apply: more tiers, endpoints that hang on leaves of several SUs or unevenly on one, too many kinds.
std::optional<SpineSidesBound> spineSidesBound(const SwitchGraph& graph, const Endpoints& ends);

} // namespace railyard
