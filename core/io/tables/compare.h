// The metrics of several designs side by side.
#pragma once

#include "core/io/tables/file_format.h"
#include "core/io/tables/table.h"
#include "core/json/json_parse.h"

#include <string>
#include <vector>

namespace railyard {

// designs[0] is the reference; the metrics of the other designs have an absolute and a relative difference.
Json compareJson(const std::vector<Json>& metrics);
Table compareTable(const std::vector<Json>& metrics);    // keys of the metrics, plain values: for other programs
Table comparisonTable(const std::vector<Json>& metrics); // titles and units in words: for people
std::vector<FileFormat> comparisonFormats();
Status writeComparison(const std::vector<Json>& metrics, const std::string& path); // in the format of the extension

} // namespace railyard
