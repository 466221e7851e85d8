// The figures that people see in a place, as they read there: the metrics of the command line, panel, preview, summary and comparison.
#pragma once

#include "core/analysis/figures/figure_table.h"

namespace railyard {

struct ShownFigure {
    const FigureInfo* row = nullptr;
    std::string key, title;
    std::optional<double> value;
    std::string text; // "–" where the value is not known
    std::string tag, note;
    const FigureInfo* comparedRow = nullptr; // what a difference is of: in general `row` and `value`
    std::optional<double> compared;
};

// In the order of their ranks; those of the summary sheet in the order of the table. Members of families whose value is 0 are left out.
std::vector<ShownFigure> shownFigures(FigureDisplay::Place place, const FigureSource& source);
// The same figures of two designs side by side; a member that one design lacks is 0 there.
std::vector<std::pair<ShownFigure, ShownFigure>> shownFigures(FigureDisplay::Place place, const FigureSource& first,
                                                              const FigureSource& second);

// With the figure that shares its line in the panel: "13,312 · 8,192".
std::string lineText(const ShownFigure& figure, const FigureSource& source);
// Computed in the background: unknown until that is done.
bool isOfBackground(const FigureInfo& figure);

// What the second has more than the first. Empty where one of them is not known, and where two totals of prices leave out different kinds
// of parts: they then cover different things, and their difference is the price of nothing.
std::optional<double> differenceOf(const ShownFigure& first, const ShownFigure& second, const Bill& firstBill, const Bill& secondBill);
// That difference in words: "+$1.20 M", "−12", "+3.1 %"; "–" where the two cover different
// things, nothing where it is 0 or one of them is not known.
std::string differenceText(const ShownFigure& first, const ShownFigure& second, const Bill& firstBill, const Bill& secondBill);

} // namespace railyard
