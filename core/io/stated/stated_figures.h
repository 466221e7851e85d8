// The figures that a file states, with the keys of `metrics`: what `verify` compares with the design.
#pragma once

#include "core/analysis/figures/figure_table.h"
#include "core/base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

struct StatedFigure {
    std::string key;
    std::optional<double> value; // as in `metrics`, in the unit of the key
    std::string text;            // as it is printed
};

struct StatedFigures {
    std::string fingerprint; // of the design that they are of
    std::vector<StatedFigure> figures;
};

// A figure of these metrics as it is printed; empty if there is no such figure, or its value is not known.
std::optional<StatedFigure> statedFigure(const FigureSource& source, const std::string& key);

std::string statedText(const StatedFigures& stated); // JSON, the same figures give the same bytes
// Errors: not such a list. `file` is named in them.
Result<StatedFigures> readStated(const std::string& text, const std::string& file);

} // namespace railyard
