// What leaves the building as tables: bill of materials, cable schedule, flat fabric, comparison.
#pragma once

#include "core/analysis/metrics.h"
#include "core/bill/bill_blocks.h"
#include "core/io/currency.h"
#include "core/io/port_dialect.h"
#include "core/io/table.h"
#include "core/json/json_view.h"

namespace railyard {

struct BomOptions {
    bool byBlock = false;
    std::optional<double> sparesConfidence; // 0.95: the stock lasts until the replacement comes with this probability
    Currency currency;
};

Table bomTable(const Bill& bill, const Currency& currency = {});
Table bomTableByBlock(const std::vector<BillBlock>& blocks, const Currency& currency = {});
std::string labelDefault();
struct CableOptions {
    std::string labels = labelDefault();
    PortDialect dialect = portDialects().front();
};
Table cableTable(const Fabric& fabric, const Cabling& cabling, const CableOptions& options = {});
Table powerTable(const Bill& bill);
Table racksTable(const Fabric& fabric, const Floor& floor); // one row a device, rack by rack, from the top
Table assumptionsTable(const Fabric& fabric, const Bill& bill, const BomOptions& options = {});
Table summaryTable(const Metrics& metrics, const Currency& currency = {});
// The `_usd` keys stay in dollars; `currency` holds the totals in the other one. With blocks, lines are theirs.
Json bomJson(const Bill& bill, const std::vector<BillBlock>& blocks, const Currency& currency);
// By extension .xlsx .csv .json; `-` is CSV.
Status writeBom(const Fabric& fabric, const Metrics& metrics, const std::string& path, const BomOptions& options = {});
Status writeCables(const Fabric& fabric, const std::string& path, const CableOptions& options = {}); // .xlsx .csv

std::string devicesCsv(const Fabric& fabric, const Floor& floor);
std::string linksCsv(const Fabric& fabric, const Cabling& cabling);
Status checkLabelTemplate(const std::string& text);

// designs[0] is the yardstick; every metric of the others as absolute and relative difference.
Json compareJson(const std::vector<Json>& metrics);
Table compareTable(const std::vector<Json>& metrics);
Status writeComparison(const std::vector<Json>& metrics, const std::string& path); // .json .xlsx .csv .md

} // namespace railyard
