// The bill of materials as a table.
#pragma once

#include "core/bill/bill_blocks.h"
#include "core/io/tables/currency.h"
#include "core/io/tables/table.h"

#include <optional>
#include <vector>

namespace railyard {

struct BomOptions {
    bool byBlock = false;
    std::optional<double> sparesConfidence; // 0.95: probability that the stock lasts until replacements arrive
    Currency currency;
};

Table bomTable(const Bill& bill, const Currency& currency = {});
Table bomTableByBlock(const std::vector<BillBlock>& blocks, const Currency& currency = {});

} // namespace railyard
