// What the figures of a design are to reach, and how far they are from it.
#pragma once

#include "core/analysis/metrics.h"

namespace railyard {

struct TargetState {
    Target target;
    std::optional<double> value;  // unknown while it is computed, or for good
    std::optional<double> margin; // to spare; below 0 what is missing
    bool mayBeWorse = false;      // lines without a price, times without latency, a bisection that is not certified
    bool isMet() const { return margin && *margin >= 0; }
};

// The figures that may have one, each with its unit.
const std::vector<std::pair<std::string_view, std::string_view>>& targetFigures();
// Of one of these figures; nothing where it is not known (yet).
std::optional<double> figureOf(std::string_view key, const InstantMetrics& instant, const BackgroundMetrics* background);
std::vector<TargetState> targetsOf(const Design& design, const InstantMetrics& instant, const BackgroundMetrics* background);

} // namespace railyard
