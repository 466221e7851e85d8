// Tables for export: bill of materials, cable schedule, flat fabric, comparison.
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
    std::optional<double> sparesConfidence; // 0.95: probability that the stock lasts until replacements arrive
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
std::string cableId(std::size_t link, char network = 'C'); // C000001: the same in the schedule, the export and on labels
Table powerTable(const Bill& bill);
Table racksTable(const Fabric& fabric, const Floor& floor); // one row per device, by rack, from the top
Table assumptionsTable(const Fabric& fabric, const Bill& bill, const BomOptions& options = {});
Table summaryTable(const Metrics& metrics, const Bill& bill, const Currency& currency = {}); // `bill` may hold spares
// The `_usd` keys are always in US dollars; `currency` holds the totals in the other currency. With blocks, lines are per block.
Json bomJson(const Bill& bill, const std::vector<BillBlock>& blocks, const Currency& currency);
// Format by extension: .xlsx .csv .json; `-` writes CSV.
Status writeBom(const Fabric& fabric, const Metrics& metrics, const std::string& path, const BomOptions& options = {});
Status writeCables(const Fabric& fabric, const std::string& path, const CableOptions& options = {}); // .xlsx .csv

std::string devicesCsv(const Fabric& fabric, const Floor& floor);
std::string linksCsv(const Fabric& fabric, const Cabling& cabling);
// Both, and those of the networks beside the compute fabric, into a folder; none is replaced before all are written. `files` gets
// their paths.
Status writeFabricCsv(const Fabric& fabric, const std::string& folder, std::vector<std::string>& files);
Status checkLabelTemplate(const std::string& text);

// designs[0] is the reference; the metrics of the other designs have an absolute and a relative difference.
Json compareJson(const std::vector<Json>& metrics);
Table compareTable(const std::vector<Json>& metrics);                              // keys of the metrics, plain values: for other programs
Table comparisonTable(const std::vector<Json>& metrics);                           // titles and units in words: for people
Status writeComparison(const std::vector<Json>& metrics, const std::string& path); // keys: .json .csv; words: .xlsx .md

} // namespace railyard
