// The bill of materials as a table.
#pragma once

#include "core/bill/bill_blocks.h"
#include "core/bill/discounts.h"
#include "core/io/tables/currency.h"
#include "core/io/tables/table.h"

#include <optional>
#include <vector>

namespace railyard {

struct BomOptions {
    bool byBlock = false;
    std::optional<double> sparesConfidence; // 0.95: probability that the stock lasts until replacements arrive
    std::optional<double> sparesShare = {}; // 0.05: this share of every quantity; not both
    Currency currency;
    bool isCustomer = false; // a copy for the customer: no price anywhere in the file
    std::vector<Discount> discounts = {};
    double margin = 0; // fraction of the sales price
};

// A sheet of a workbook stands beside a summary that follows what is typed into it; a text stands alone.
enum class BomFor { Text, Sheet };
struct BomHeading {
    std::string design = {}; // its name, for the title
    BomFor use = BomFor::Text;
    bool showsPrices = true; // false: without columns and words of prices; the lines must have none
};
Table bomTable(const Bill& bill, const Currency& currency = {}, const BomHeading& heading = {});
Table bomTableByBlock(const std::vector<BillBlock>& blocks, const Currency& currency = {}, const BomHeading& heading = {});
// What tells the lines of a bill apart: the ID of the part, and where several lines have it the length ("cbl-x@3m") or the section.
std::vector<std::string> lineKeys(const Bill& bill);
std::string priceKind(const BillLine& line); // list, reseller, compatible, quote or estimate: who asks it, and for what; empty: no price
// Only a maximum is published for the part, and stands for its typical power in all sums.
bool isMaximumPower(const BillLine& line);

} // namespace railyard
