#include "core/bisection/bounds/cheapest_split.h"

#include "core/bisection/problem/lower_bound.h"

#include <algorithm>
#include <map>
#include <utility>

namespace railyard {
namespace {

using Kinds = std::vector<std::pair<const SplitGroup*, std::size_t>>; // a group of each kind, and how many there are

Kinds kindsOf(const std::vector<SplitGroup>& groups) {
    std::map<std::uint64_t, std::size_t> at;
    Kinds kinds;
    for (const SplitGroup& group : groups) {
        const auto [it, fresh] = at.emplace(group.kind, kinds.size());
        if (fresh) kinds.emplace_back(&group, 0);
        ++kinds[it->second].second;
    }
    return kinds;
}

double alignedGroups(const SplitGroup& group, std::size_t count, std::size_t onSide) {
    return static_cast<double>(onSide) * group.cost.back() + static_cast<double>(count - onSide) * group.cost.front();
}

// One kind (or two): whole groups on either side and at most one split group, which is of kind `split`.
double oneSplit(const Kinds& kinds, std::size_t split, std::size_t m) {
    const auto& [group, count] = kinds[split];
    const std::size_t size = group->cost.size() - 1;
    const bool two = kinds.size() == 2;
    const SplitGroup& other = *kinds[two ? 1 - split : split].first;
    const std::size_t otherCount = two ? kinds[1 - split].second : 0, otherSize = other.cost.size() - 1;
    double least = impossible;
    for (std::size_t c = 0; c <= otherCount && c * otherSize <= m; ++c) {
        const std::size_t left = m - c * otherSize, full = left / size, rest = left % size;
        if (full > count || (full == count && rest > 0)) continue;
        const double others = two ? alignedGroups(other, otherCount, c) : 0;
        const double own = rest > 0 ? alignedGroups(*group, count - 1, full) + group->cost[rest] : alignedGroups(*group, count, full);
        least = std::min(least, others + own);
    }
    return least;
}

double byTable(const std::vector<SplitGroup>& groups, std::size_t m) {
    std::vector<double> best(m + 1, impossible), next;
    best[0] = 0;
    for (const SplitGroup& group : groups) {
        next.assign(m + 1, impossible);
        for (std::size_t before = 0; before <= m; ++before) {
            if (best[before] == impossible) continue;
            for (std::size_t a = 0; a < group.cost.size() && before + a <= m; ++a)
                next[before + a] = std::min(next[before + a], best[before] + group.cost[a]);
        }
        best.swap(next);
    }
    return best[m];
}

} // namespace

std::optional<double> cheapestSplit(const std::vector<SplitGroup>& groups, std::size_t m) {
    const Kinds kinds = kindsOf(groups);
    std::size_t all = 0;
    for (const SplitGroup& group : groups) all += group.cost.size() - 1;
    double least = impossible;
    if (kinds.size() <= 2) {
        for (std::size_t split = 0; split < kinds.size(); ++split) least = std::min(least, oneSplit(kinds, split, m));
    } else if (m * all <= 100'000'000) {
        least = byTable(groups, m);
    }
    return least == impossible ? std::nullopt : std::optional(least);
}

} // namespace railyard
