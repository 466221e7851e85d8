// The effect of an edit that is being previewed, computed fast enough to follow the pointer.
#pragma once

#include "core/analysis/metrics/metrics.h"

namespace railyard {

struct EditEffect {
    InstantMetrics metrics;
    std::optional<Bisection> bisection; // key server; empty if it would take too long to compute during a preview
};
EditEffect effectOf(const DesignPointer& tried);
// The change of the bill's total if these elements were removed, in general below 0; empty if they cannot be removed.
struct RemovalCost {
    Money change;
    bool isComplete = true; // false: the change excludes parts without a price
};
std::optional<RemovalCost> costOfRemoving(const Design& design, const InstantMetrics& now, const std::vector<std::string>& paths);

} // namespace railyard
