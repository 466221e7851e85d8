#include "core/io/table.h"

#include "core/io/csv.h"

#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

std::optional<double> valueOf(const Cell& cell) {
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    if (const auto* formula = std::get_if<Formula>(&cell)) return formula->value;
    return {};
}

std::string shown(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    const auto value = valueOf(cell);
    return value ? fmt::format("{}", std::round(*value * 1e6) / 1e6) : "";
}

} // namespace

std::string csvOf(const Table& table) {
    CsvWriter csv;
    for (const Column& column : table.columns) csv.text(column.name);
    csv.endRow();
    for (const auto& row : table.rows) {
        for (const Cell& cell : row) {
            if (const auto* text = std::get_if<std::string>(&cell))
                csv.text(*text);
            else if (const auto value = valueOf(cell))
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
    for (const Column& column : table.columns) {
        text += " " + column.name + " |";
        rule += column.format == Column::Format::General ? "---|" : "---:|";
    }
    text += "\n" + rule + "\n";
    for (const auto& row : table.rows) {
        text += "|";
        for (const Cell& cell : row) text += " " + shown(cell) + " |";
        text += "\n";
    }
    for (const std::string& note : table.notes) text += "\n" + note + "\n";
    return text;
}

} // namespace railyard
