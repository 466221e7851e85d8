// Failure rates of the user: a CSV file with the columns kind, part, low, base and high, per year and unit.
#pragma once

#include "core/reliability/reliability.h"

namespace railyard {

// Adds them to the request. `part` is an ID of the catalogue or empty: the rate then is of all parts of the kind. Errors: every row with
// what is wrong in it.
Status readRates(const std::string& path, const Catalog& catalog, ReliabilityRequest& request);
Status ratesFrom(const std::string& text, const std::string& path, const Catalog& catalog, ReliabilityRequest& request);

} // namespace railyard
