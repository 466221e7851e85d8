// What an edit that is only tried would lead to, quickly enough to follow a pointer.
#pragma once

#include "core/analysis/metrics.h"

namespace railyard {

struct EditEffect {
    InstantMetrics metrics;
    std::optional<Bisection> bisection; // key server; nothing where it would take too long to wait for
};
EditEffect effectOf(const DesignPointer& tried);

} // namespace railyard
