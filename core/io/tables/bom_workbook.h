// The workbook of the bill: summary, bill of materials, power, racks and assumptions.
#pragma once

#include "core/analysis/metrics/metrics.h"
#include "core/io/tables/bom.h"
#include "core/io/tables/file_format.h"
#include "core/json/json_parse.h"

#include <string>

namespace railyard {

// Its formulas refer to the sheet BOM. Without prices it has no cost of energy.
Table powerTable(const Bill& bill, const Currency& currency = {}, bool showsPrices = true);
Table racksTable(const Fabric& fabric, const Floor& floor); // one row per device, by rack, from the top
Table assumptionsTable(const Fabric& fabric, const Bill& bill, const BomOptions& options = {});
// The figures that stand in a summary, and what only a bill has. Its formulas refer to the sheets BOM, which is `bom`, and Power.
Table summaryTable(const Metrics& metrics, const Bill& bill, const Table& bom, const BomOptions& options = {});

// What writeBom writes as .json. Errors: a discount for a vendor that the catalogue does not have.
Result<Json> bomJson(const Fabric& fabric, const Metrics& metrics, const BomOptions& options);
std::vector<FileFormat> billFormats();
// In the format of the extension; `-` writes CSV.
Status writeBom(const Fabric& fabric, const Metrics& metrics, const std::string& path, const BomOptions& options = {});

} // namespace railyard
