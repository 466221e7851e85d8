// What a design is and what another one would change, in one sentence: titles of slides, offers and comparisons.
#pragma once

#include "core/analysis/metrics/metrics.h"
#include "core/fabric/fabric.h"

#include <optional>
#include <string>

namespace railyard {

// A design beside another one.
struct OtherDesign {
    FabricPointer fabric;
    Metrics metrics;
};
OtherDesign otherDesign(FabricPointer fabric);
// The best fabric in the other layout for the same GPUs; empty if the design has none, as one that is hand-drawn.
std::optional<OtherDesign> twinBeside(const Design& design);

std::string layoutName(const Design& design); // "Rail-only", "Rail-optimized", "Fat tree"; the name of a hand-drawn design
// "Full bandwidth between 4,096 GPUs costs $16.1 M; rail-only saves 35 % of that and slows all-to-all by 12 %". `twin`: null, or in another
// layout. Without prices it counts switches.
std::string designVerdict(const Metrics& own, const OtherDesign* twin, bool showsPrices);
// "Larger hall adds $1.20 M of network cost (+31 %) and 16 switches; all-to-all is 3.1 % slower."
std::string comparisonVerdict(const Metrics& a, const Metrics& b);

// Of all GPUs with messages of 256 MiB; empty: not known.
std::optional<double> allToAllSeconds(const Metrics& metrics);

} // namespace railyard
