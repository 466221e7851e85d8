#include "core/io/tables/table.h"

#include "core/base/unit_text.h"
#include "core/io/tables/csv.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

CellFormat formatOf(const Cell& cell, const Column& column) {
    const auto* figure = std::get_if<Figure>(&cell);
    return figure ? figure->format : column.format;
}

std::string shown(const Cell& cell, const Column& column) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    const auto value = numberIn(cell);
    return value ? shownNumber(*value, formatOf(cell, column)) : "";
}

// A bar would end the cell.
std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '|') safe += '\\';
        safe += c == '\n' ? ' ' : c;
    }
    return safe;
}

bool holdsNumbers(const Table& table, std::size_t column) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const auto& row) { return numberIn(row[column]).has_value() && !std::get_if<std::string>(&row[column]); });
}

} // namespace

std::optional<double> numberIn(const Cell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    if (const auto* figure = std::get_if<Figure>(&cell)) return figure->value;
    if (const auto* formula = std::get_if<Formula>(&cell)) return formula->value;
    return {};
}

std::string shownNumber(double value, CellFormat format) {
    if (format == CellFormat::Change) return formatPercent(value);
    if (format == CellFormat::Percent) return shownNumber(std::round(value * 1000) / 10, CellFormat::Decimal) + " %";
    const int decimals = format == CellFormat::Integer ? 0 : format == CellFormat::Money ? 2 : 3;
    std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    const std::size_t point = digits.find('.');
    if (format != CellFormat::Money && point != std::string::npos) {
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.back() == '.') digits.pop_back();
    }
    for (auto at = static_cast<std::ptrdiff_t>(digits.find('.') == std::string::npos ? digits.size() : digits.find('.')) - 3; at > 0;
         at -= 3)
        digits.insert(static_cast<std::size_t>(at), ",");
    const bool isZero = digits.find_first_not_of("0.,") == std::string::npos;
    return value < 0 && !isZero ? "−" + digits : digits;
}

std::string csvOf(const Table& table) {
    CsvWriter csv;
    for (const Column& column : table.columns) csv.text(column.name);
    csv.endRow();
    for (const auto& row : table.rows) {
        for (const Cell& cell : row) {
            if (const auto* text = std::get_if<std::string>(&cell))
                csv.text(*text);
            else if (const auto value = numberIn(cell))
                csv.number(*value);
            else
                csv.empty();
        }
        csv.endRow();
    }
    return csv.bytes();
}

std::string markdownOf(const Table& table) {
    std::string text = "# " + table.name + "\n\n|", rule = "|";
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        text += " " + escaped(table.columns[c].name) + " |";
        rule += holdsNumbers(table, c) ? "---:|" : "---|";
    }
    text += "\n" + rule + "\n";
    for (const auto& row : table.rows) {
        text += "|";
        for (std::size_t c = 0; c < row.size(); ++c) text += " " + escaped(shown(row[c], table.columns[c])) + " |";
        text += "\n";
    }
    for (const std::string& note : table.notes) text += "\n" + note + "\n";
    return text;
}

} // namespace railyard
