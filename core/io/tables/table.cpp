#include "core/io/tables/table.h"

#include "core/base/unit_text.h"
#include "core/io/tables/csv.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace railyard {
namespace {

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

// 1,234.5, with a sign that is no hyphen.
std::string grouped(double value, int decimals, bool dropsZeros) {
    std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    const std::size_t point = digits.find('.');
    if (dropsZeros && point != std::string::npos) {
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.back() == '.') digits.pop_back();
    }
    for (auto at = static_cast<std::ptrdiff_t>(digits.find('.') == std::string::npos ? digits.size() : digits.find('.')) - 3; at > 0;
         at -= 3)
        digits.insert(static_cast<std::size_t>(at), ",");
    const bool isZero = digits.find_first_not_of("0.,") == std::string::npos;
    return value < 0 && !isZero ? "−" + digits : digits;
}

// The row of the totals: its label stands in the first column that is wide enough for text and holds no number.
std::string sumsInMarkdown(const Table& table) {
    std::string text = "|";
    bool isLabelled = false;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const Column& column = table.columns[c];
        std::string cell;
        if (std::find(table.sums.begin(), table.sums.end(), column.name) != table.sums.end()) {
            double sum = 0;
            for (const auto& row : table.rows) sum += numberIn(row[c]).value_or(0);
            cell = shownNumber(sum, column.format);
        } else if (!isLabelled && !holdsNumbers(table, c)) {
            cell = table.sumsLabel;
            isLabelled = true;
        }
        text += " " + escaped(cell) + " |";
    }
    return text + "\n";
}

} // namespace

std::size_t Table::columnOf(std::string_view column) const {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& each) { return each.name == column; });
    if (found == columns.end()) throw std::logic_error(fmt::format("table {} has no column {}", name, column));
    return static_cast<std::size_t>(found - columns.begin());
}

CellFormat formatOf(const Cell& cell, const Column& column) {
    if (const auto* figure = std::get_if<Figure>(&cell)) return figure->format;
    const auto* formula = std::get_if<Formula>(&cell);
    return formula && formula->format ? *formula->format : column.format;
}

std::optional<double> numberIn(const Cell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    if (const auto* figure = std::get_if<Figure>(&cell)) return figure->value;
    if (const auto* formula = std::get_if<Formula>(&cell)) return formula->value;
    return {};
}

std::string shownNumber(double value, CellFormat format) {
    if (format == CellFormat::Change) return formatPercent(value);
    if (format == CellFormat::Percent) return grouped(value * 100, shareDecimals(value), true) + " %";
    return grouped(value, format == CellFormat::Integer ? 0 : format == CellFormat::Money ? 2 : 3, format != CellFormat::Money);
}

std::string csvOf(const Table& table) {
    CsvWriter csv;
    for (const Column& column : table.columns) csv.text(column.name);
    csv.endRow();
    const auto write = [&](const std::vector<Cell>& row) {
        for (const Cell& cell : row) {
            if (const auto* text = std::get_if<std::string>(&cell))
                csv.text(*text);
            else if (const auto value = numberIn(cell))
                csv.number(*value);
            else
                csv.empty();
        }
        csv.endRow();
    };
    for (const auto& row : table.rows) write(row);
    for (const auto& row : table.footer) write(row);
    return csv.bytes();
}

std::string markdownOf(const Table& table) {
    std::string text = "# " + (table.title.empty() ? table.name : escaped(table.title)) + "\n\n|", rule = "|";
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
    if (!table.sums.empty()) text += sumsInMarkdown(table);
    for (const std::string& note : table.notes) text += "\n" + note + "\n";
    return text;
}

} // namespace railyard
