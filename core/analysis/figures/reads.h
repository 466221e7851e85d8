// Shared by the files of figures: values as they are read.
#pragma once

#include "core/analysis/figures/figure.h"

#include <string>

namespace railyard {

using Value = std::optional<double>;

template <class T>
Value number(const std::optional<T>& count) {
    return count ? Value(static_cast<double>(*count)) : std::nullopt;
}
template <class Quantity>
Value valueOf(const std::optional<Quantity>& quantity) {
    return quantity ? Value(quantity->value()) : std::nullopt;
}

// A reason, as a sentence of its own.
inline std::string sentence(std::string reason) {
    if (reason.empty()) return reason;
    if (reason[0] >= 'a' && reason[0] <= 'z') reason[0] = static_cast<char>(reason[0] - 'a' + 'A');
    return reason.ends_with('.') ? reason : reason + ".";
}

inline constexpr auto count = FigureFormat::Count, decimal = FigureFormat::Decimal, percent = FigureFormat::Percent;
inline constexpr double kilo = 1e-3, tera = 1e-3, micro = 1e6; // from W, Gb/s and s to what is shown

} // namespace railyard
