// Target values for the metrics of a design, and the distance of each metric from its target.
#pragma once

#include "core/analysis/figures/figure_table.h"

namespace railyard {

struct TargetState {
    Target target;
    std::optional<double> value;  // empty while it is being computed, or if it is unknown
    std::optional<double> margin; // distance to the target; negative if the target is missed
    bool mayBeWorse = false;      // the value is a bound: lines without a price, times without latency, or an uncertified bisection
    bool isMet() const { return margin && *margin >= 0; }
};

// The value of a figure of the table; empty if it is not known or not yet computed.
std::optional<double> figureOf(std::string_view key, const InstantMetrics& instant, const BackgroundMetrics* background);
std::vector<TargetState> targetsOf(const Design& design, const InstantMetrics& instant, const BackgroundMetrics* background);

} // namespace railyard
