// What an edit that is only tried would lead to, quickly enough to follow a pointer.
#pragma once

#include "core/analysis/metrics.h"

namespace railyard {

struct EditEffect {
    InstantMetrics metrics;
    std::optional<Bisection> bisection; // key server; nothing where it would take too long to wait for
};
EditEffect effectOf(const DesignPointer& tried);
// By how much the total of the bill changes without these elements, below 0 where they cost; nothing where they cannot be removed.
struct RemovalCost {
    Money change;
    bool isComplete = true; // else parts without a price are not in it
};
std::optional<RemovalCost> costOfRemoving(const Design& design, const InstantMetrics& now, const std::vector<std::string>& paths);

} // namespace railyard
