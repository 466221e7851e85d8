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
    std::optional<double> value; // as in `metrics`, in the unit of the key; empty: it is the text that counts
    std::string text;            // as it is printed
};

// Keys besides those of `metrics`: the title, and what is of the design that is compared, or of the difference to it.
inline constexpr std::string_view titleKey = "title", otherPrefix = "other.", differencePrefix = "difference.";
inline bool isOfOther(std::string_view key) { return key.starts_with(otherPrefix) || key.starts_with(differencePrefix) || key == titleKey; }
// bill.sw-qm9700.quantity; `key` of a line: lineKeys() of the bill.
std::string billKey(std::string_view key, std::string_view what);

struct StatedFigures {
    std::string fingerprint; // of the design that they are of
    std::vector<StatedFigure> figures;
    // What they are stated by, which states the same again for the same design.
    enum class By { Figures, Slide, Offer } by = By::Figures;
    bool isCustomer = false; // a copy without prices
    std::string other = {};  // fingerprint of the design that was named for a comparison; empty: its twin, or none

    void add(std::string key, std::optional<double> value, std::string text); // unless the key is stated already
};

// A figure of these metrics as it is printed; empty if there is no such figure, or its value is not known.
std::optional<StatedFigure> statedFigure(const FigureSource& source, const std::string& key);

std::string statedText(const StatedFigures& stated); // JSON, the same figures give the same bytes
// Errors: not such a list. `file` is named in them.
Result<StatedFigures> readStated(const std::string& text, const std::string& file);

} // namespace railyard
