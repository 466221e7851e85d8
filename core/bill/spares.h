// How many spares to keep: enough that the stock does not run out before a replacement arrives.
#pragma once

#include "core/bill/bill.h"

namespace railyard {

inline constexpr double spareLeadTimeHours = 1008; // six weeks, a planning value

// Smallest s with P(Poisson(units * rate * lead time) <= s) >= confidence; rate per year of 8,760 h, confidence below 1.
std::int64_t sparesFor(std::int64_t units, double ratePerYear, double leadTimeHours, double confidence);

// Fills in the spares, by the default failure rate of a kind of part. Lines of one part share one stock, which stands on
// the first of them; totals stay without spares.
void addSpares(Bill& bill, const Catalog& catalog, double confidence);

} // namespace railyard
