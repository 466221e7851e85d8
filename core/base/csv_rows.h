// Reads CSV files according to RFC 4180 as written by spreadsheets: quotes, CRLF or LF, an optional byte-order mark.
#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

struct CsvRow {
    int line = 0; // line of the first cell, counted from 1
    std::vector<std::string> cells;
    const std::string& cell(std::size_t at) const; // empty beyond the last cell
};

inline constexpr std::size_t mostCsvCells = 100'000; // of a row

// Calls `use` for every row that has text; `use` returns false to stop. Only one row is in memory at a time, because files of other
// programs may have millions. The separator is detected in the first row: comma, semicolon or tab. A quoted cell that is not closed and a
// row of too many cells are errors with their line.
Status eachCsvRow(std::string_view text, const std::string& file, const std::function<bool(const CsvRow&)>& use);

} // namespace railyard
