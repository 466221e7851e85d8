// Endpoints of several groups on two sides at the least cost.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace railyard {

// The minimum of the sum over groups of f_g(a_g) with sum of a_g = m, for concave f_g given at 0...size. With concave f at most
// one group is split. Groups with equal `kind` are identical.
struct SplitGroup {
    std::uint64_t kind = 0;
    std::vector<double> cost; // cost[a] with a endpoints on one side
};
std::optional<double> cheapestSplit(const std::vector<SplitGroup>& groups, std::size_t m);

} // namespace railyard
