// The bill of materials as JSON.
#pragma once

#include "core/bill/bill_blocks.h"
#include "core/io/tables/currency.h"
#include "core/json/json_parse.h"

#include <vector>

namespace railyard {

// The `_usd` keys are always in US dollars; `currency` holds the totals in the other currency. With blocks, lines are per block.
Json bomJson(const Bill& bill, const std::vector<BillBlock>& blocks, const Currency& currency);

} // namespace railyard
