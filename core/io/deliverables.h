// What leaves the building as tables: bill of materials, cable schedule, flat fabric, comparison.
#pragma once

#include "core/analysis/metrics.h"
#include "core/io/table.h"
#include "core/json/json_view.h"

namespace railyard {

Table bomTable(const Bill& bill);
Table cableTable(const Fabric& fabric, const Cabling& cabling, const std::string& labelTemplate);
Table powerTable(const Bill& bill);
Table assumptionsTable(const Fabric& fabric, const Bill& bill);
Table summaryTable(const Metrics& metrics);
Json bomJson(const Bill& bill);
Status writeBom(const Fabric& fabric, const Metrics& metrics, const std::string& path);              // by extension .xlsx .csv .json
Status writeCables(const Fabric& fabric, const std::string& path, const std::string& labelTemplate); // .xlsx .csv

std::string devicesCsv(const Fabric& fabric);
std::string linksCsv(const Fabric& fabric, const Cabling& cabling);
std::string labelDefault();
Status checkLabelTemplate(const std::string& text);

// designs[0] is the yardstick; every metric of the others as absolute and relative difference.
Json compareJson(const std::vector<Json>& metrics);
Table compareTable(const std::vector<Json>& metrics);
Status writeComparison(const std::vector<Json>& metrics, const std::string& path); // .json .xlsx .csv .md

} // namespace railyard
