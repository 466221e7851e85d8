// A table on its way to a file: the same rows become CSV, a sheet of a workbook, Markdown.
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace railyard {

// A formula refers to columns of its own row as {Column name}; `value` is what it comes to.
struct Formula {
    std::string text;
    std::optional<double> value;
};
using Cell = std::variant<std::monostate, std::string, double, Formula>;

struct Column {
    std::string name;
    double width = 12;
    enum class Format { General, Integer, Money, Decimal } format = Format::General;
};

struct Table {
    std::string name; // of the sheet
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::vector<std::string> sums; // columns that a last row adds up
    std::vector<std::string> notes;
};

std::string csvOf(const Table& table);
std::string markdownOf(const Table& table);
// Formulas are live and carry their computed value; equal input gives equal bytes.
Status writeWorkbook(const std::vector<Table>& tables, const std::string& path);

} // namespace railyard
