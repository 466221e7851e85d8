// The exact bisection of small fabrics: all balanced partitions, where endpoints on the same ports are interchangeable, and so are
// SUs whose leaves have the same links.
#pragma once

#include "core/bisection/witness/balanced_cut.h"

#include <optional>

namespace railyard {

struct ExactCut {
    Bandwidth value;
    std::vector<bool> sideA;
};
// Endpoints that can be exchanged without changing any cut.
std::vector<std::vector<std::uint32_t>> interchangeable(const BisectionProblem& q);
// The cheapest of all, or the first that is cheaper than `enough`. Empty if there are too many partitions. `merged`: the switches merged,
// where that is known.
std::optional<ExactCut> cheapestOfAllPartitions(const BisectionProblem& q, Bandwidth enough = {}, const MergedSwitches* merged = nullptr);

} // namespace railyard
