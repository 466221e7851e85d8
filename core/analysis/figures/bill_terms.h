// Shared by the figures that are sums over lines of the bill.
#pragma once

#include "core/analysis/figures/origin.h"

namespace railyard {

std::string nameOfLine(const Bill& bill, std::size_t line); // distinct: 3_sw-qm9700
ExplainedInput quantityOf(const Bill& bill, std::size_t line);
// A total inherits the weakest confidence of its terms.
std::string weakestConfidence(const OriginTerms& terms);

} // namespace railyard
