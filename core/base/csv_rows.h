// Reading CSV after RFC 4180 as spreadsheets write it: quotes, CRLF or LF, an optional byte-order mark.
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace railyard {

struct CsvRow {
    int line = 0; // where it begins, from 1
    std::vector<std::string> cells;
    const std::string& cell(std::size_t at) const; // empty beyond the last
};

// The separator is found in the first row: comma, semicolon or tab. Rows without any text are passed over. A quote that never closes is an
// error with its line.
Result<std::vector<CsvRow>> csvRows(std::string_view text, const std::string& file);

} // namespace railyard
