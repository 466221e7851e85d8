// Every figure of a design, one row each. The metrics as JSON, explanations, targets, comparisons and the metrics panel go by this table:
// a new figure is a row in the file of its section.
#pragma once

#include "core/analysis/figures/figure.h"

#include <span>

namespace railyard {

// In the order in which they are read.
std::span<const FigureInfo> figureTable();
// The row of a key, or of the family that it belongs to; null if there is none.
const FigureInfo* figureNamed(std::string_view key);
// collectives.all-reduce@1GiB.time_s for collectives.0.time_s, the place in the metrics, and for other spellings of the size.
std::string stableKey(std::string_view key);
std::string figureText(const FigureInfo& figure, double value); // with its unit, as in the window: 3.6 ms, $4.00 M

// A figure of one design, of a row or a member of a family.
struct FigureValue {
    const FigureInfo* row;
    FigureMember member; // with the value and its unit; without a name if the row is no family

    std::string key() const;
};

std::vector<FigureValue> figuresOf(const FigureSource& source); // in the order of the table

} // namespace railyard
