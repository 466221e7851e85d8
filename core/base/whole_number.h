// Whole numbers among floating-point ones.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace railyard {

// The value as an integer if it is one that a double holds exactly, up to 2^53; a conversion of larger ones would not be defined.
inline std::optional<std::int64_t> wholeNumber(double value) {
    constexpr double most = 9007199254740992.0;
    if (!(std::abs(value) <= most) || value != std::trunc(value)) return {};
    return static_cast<std::int64_t>(value);
}

} // namespace railyard
