// Reads CSV files according to RFC 4180 as written by spreadsheets: quotes, CRLF or LF, an optional byte-order mark.
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace railyard {

struct CsvRow {
    int line = 0; // line of the first cell, counted from 1
    std::vector<std::string> cells;
    const std::string& cell(std::size_t at) const; // empty beyond the last cell
};

// The separator is detected in the first row: comma, semicolon or tab. Rows without text are skipped. A quoted cell that is
// not closed is an error with its line.
Result<std::vector<CsvRow>> csvRows(std::string_view text, const std::string& file);

} // namespace railyard
