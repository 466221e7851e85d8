// The number of spares with which the stock lasts until replacements arrive.
#pragma once

#include "core/base/result.h"
#include "core/bill/bill.h"

#include <functional>
#include <optional>
#include <string_view>

namespace railyard {

// How spares are counted: by the certainty with which the stock lasts until replacements arrive, or as a share of the quantity.
struct SparesRule {
    enum class By { ServiceLevel, Quantity } by = By::ServiceLevel;
    double fraction = 0.95;
};
// "95%" is a service level, from 50 %; "qty:5%" a share of the quantity.
Result<SparesRule> parseSpares(std::string_view text);

inline constexpr double spareLeadTimeHours = 1008; // six weeks, a planning value

// Smallest s with P(Poisson(units * rate * lead time) <= s) >= confidence; rate per year of 8,760 h, confidence below 1.
std::int64_t sparesFor(std::int64_t units, double ratePerYear, double leadTimeHours, double confidence);

// Failures of one unit of a line in a year; empty: not known, so without spares.
using RateOfLine = std::function<std::optional<double>(const BillLine&)>;
// Adds spares according to these rates, see core/reliability/spare_rates.h. Lines of the same part share one stock, which is listed on the
// first of them; totals exclude spares.
void addSpares(Bill& bill, const RateOfLine& rateOf, double confidence);
// Adds this share of the quantity of every part, rounded up; racks and work have no spares.
void addSparesByQuantity(Bill& bill, double share);

} // namespace railyard
