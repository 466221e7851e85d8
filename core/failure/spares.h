// How many spares to keep: enough that the stock does not run out before a replacement arrives.
#pragma once

#include <cstdint>

namespace railyard {

inline constexpr double spareLeadTimeHours = 1008; // six weeks, a planning value

// Smallest s with P(Poisson(units * rate * lead time) <= s) >= confidence; rate per year of 8,760 h, confidence below 1.
std::int64_t sparesFor(std::int64_t units, double ratePerYear, double leadTimeHours, double confidence);

} // namespace railyard
