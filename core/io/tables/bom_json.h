// The bill of materials as JSON.
#pragma once

#include "core/io/tables/bom.h"
#include "core/json/json_parse.h"

#include <vector>

namespace railyard {

// The `_usd` keys are always in US dollars; `currency` holds the totals in the other currency. With blocks, lines are per block.
// `net_usd` is after the discounts of the lines, `sales_usd` with the margin on top; all other totals are without either.
Json bomJson(const Bill& bill, const std::vector<BillBlock>& blocks, const BomOptions& options);

} // namespace railyard
