// A table for export: the same rows are written as CSV, as a worksheet or as Markdown.
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace railyard {

// General: as the spreadsheet program likes. Integer: whole numbers with thousands separators. Decimal: the same with up to
// three decimals, none where the number is whole. Money: two decimals. Percent: a fraction, shown times 100. Change: the same
// with its sign.
enum class CellFormat { General, Integer, Money, Decimal, Percent, Change };

// A formula refers to columns of its own row as {Column name}, to all rows of a column of a sheet as {Sheet!Column name}, and to one of
// them as {Sheet!Column name@first cell of the row}. `value` is the computed result; without one the formula gives an empty text.
struct Formula {
    std::string text;
    std::optional<double> value;
    std::optional<CellFormat> format = {}; // where the rows of one column differ
};
// A number with a format of its own, where the rows of one column differ.
struct Figure {
    double value = 0;
    CellFormat format = CellFormat::General;
};
using Cell = std::variant<std::monostate, std::string, double, Formula, Figure>;

struct Column {
    using Format = CellFormat;
    std::string name;
    double width = 12; // in characters
    Format format = Format::General;
    bool wraps = false; // long text goes on in the next line
};

struct Table {
    std::string name; // name of the worksheet
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::vector<std::string> sums; // columns with a total in the last row
    std::vector<std::string> notes;
    std::string sumsLabel = "Total";            // what the totals include and exclude
    std::string title = {};                     // above a table that stands alone; without one, the name
    std::vector<std::vector<Cell>> footer = {}; // rows that end a CSV: the total, the title, the rate of the currency

    std::size_t columnOf(std::string_view column) const; // its place; it must be there
};

// of power; empty if unknown
inline Cell wattsCell(const std::optional<Watts>& power) { return power ? Cell(power->value()) : Cell(); }
std::optional<double> numberIn(const Cell& cell); // of a formula: its computed result
CellFormat formatOf(const Cell& cell, const Column& column);

std::string csvOf(const Table& table);
// Numbers as people read them: thousands separators, percentages.
std::string markdownOf(const Table& table);
// How a number looks in its format: 4,096; 32,870.00; −40.0 %.
std::string shownNumber(double value, CellFormat format);

} // namespace railyard
