// The number of spares with which the stock lasts until replacements arrive.
#pragma once

#include "core/bill/bill.h"

namespace railyard {

inline constexpr double spareLeadTimeHours = 1008; // six weeks, a planning value

// Smallest s with P(Poisson(units * rate * lead time) <= s) >= confidence; rate per year of 8,760 h, confidence below 1.
std::int64_t sparesFor(std::int64_t units, double ratePerYear, double leadTimeHours, double confidence);

// Adds spares according to the default failure rate of each kind of part. Lines of the same part share one stock, which is
// listed on the first of them; totals exclude spares.
void addSpares(Bill& bill, const Catalog& catalog, double confidence);

} // namespace railyard
