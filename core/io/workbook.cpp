#include "core/base/file.h"
#include "core/io/table.h"

#include <algorithm>
#include <fmt/format.h>
#include <xlsxwriter.h>

namespace railyard {
namespace {

std::string columnLetters(std::size_t index) {
    std::string letters;
    for (std::size_t n = index + 1; n > 0; n = (n - 1) / 26) letters.insert(letters.begin(), static_cast<char>('A' + (n - 1) % 26));
    return letters;
}

// {Qty} -> F7
std::string inPlace(const Table& table, const std::string& formula, std::size_t sheetRow) {
    std::string text = formula;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const std::string name = "{" + table.columns[c].name + "}";
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
            text.replace(at, name.size(), columnLetters(c) + std::to_string(sheetRow));
    }
    return text;
}

std::string printable(const std::string& text) {
    std::string clean;
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') clean += c;
    return clean.substr(0, 32000);
}

struct Formats {
    lxw_format *heading, *bold, *number, *integer, *money, *total;
};

class SheetWriter {
public:
    SheetWriter(lxw_workbook* book, const Formats& formats, const Table& table)
        : m_formats(formats),
          m_table(table),
          m_sheet(workbook_add_worksheet(book, table.name.c_str())) {}

    void write() {
        for (std::size_t c = 0; c < m_table.columns.size(); ++c) {
            const auto column = static_cast<lxw_col_t>(c);
            worksheet_set_column(m_sheet, column, column, m_table.columns[c].width, nullptr);
            worksheet_write_string(m_sheet, 0, column, m_table.columns[c].name.c_str(), m_formats.heading);
        }
        worksheet_freeze_panes(m_sheet, 1, 0);
        for (std::size_t r = 0; r < m_table.rows.size(); ++r)
            for (std::size_t c = 0; c < m_table.rows[r].size(); ++c) cell(r + 1, c, m_table.rows[r][c]);
        if (!m_table.rows.empty())
            worksheet_autofilter(m_sheet, 0, 0, static_cast<lxw_row_t>(m_table.rows.size()),
                                 static_cast<lxw_col_t>(m_table.columns.size() - 1));
        std::size_t row = m_table.rows.size() + 1;
        if (!m_table.sums.empty()) sums(row++);
        for (const std::string& note : m_table.notes)
            worksheet_write_string(m_sheet, static_cast<lxw_row_t>(++row), 0, printable(note).c_str(), nullptr);
        worksheet_repeat_rows(m_sheet, 0, 0);
        worksheet_set_landscape(m_sheet);
        worksheet_fit_to_pages(m_sheet, 1, 0);
    }

private:
    lxw_format* formatOf(std::size_t column) const {
        switch (m_table.columns[column].format) {
        case Column::Format::Integer: return m_formats.integer;
        case Column::Format::Money: return m_formats.money;
        case Column::Format::Decimal: return m_formats.number;
        default: return nullptr;
        }
    }
    void cell(std::size_t row, std::size_t column, const Cell& value) {
        const auto r = static_cast<lxw_row_t>(row);
        const auto c = static_cast<lxw_col_t>(column);
        if (const auto* text = std::get_if<std::string>(&value))
            worksheet_write_string(m_sheet, r, c, printable(*text).c_str(), formatOf(column));
        else if (const auto* number = std::get_if<double>(&value))
            worksheet_write_number(m_sheet, r, c, *number, formatOf(column));
        else if (const auto* formula = std::get_if<Formula>(&value); formula && formula->value)
            worksheet_write_formula_num(m_sheet, r, c, inPlace(m_table, formula->text, row + 1).c_str(), formatOf(column), *formula->value);
    }
    void sums(std::size_t row) {
        worksheet_write_string(m_sheet, static_cast<lxw_row_t>(row), 0, "Total", m_formats.total);
        for (const std::string& name : m_table.sums) {
            const auto it =
                std::find_if(m_table.columns.begin(), m_table.columns.end(), [&](const Column& column) { return column.name == name; });
            const auto c = static_cast<std::size_t>(it - m_table.columns.begin());
            double sum = 0;
            for (const auto& cells : m_table.rows) {
                if (const auto* number = std::get_if<double>(&cells[c])) sum += *number;
                if (const auto* formula = std::get_if<Formula>(&cells[c])) sum += formula->value.value_or(0);
            }
            const std::string letters = columnLetters(c);
            worksheet_write_formula_num(m_sheet, static_cast<lxw_row_t>(row), static_cast<lxw_col_t>(c),
                                        fmt::format("=SUM({}2:{}{})", letters, letters, row).c_str(), m_formats.total, sum);
        }
    }

    const Formats& m_formats;
    const Table& m_table;
    lxw_worksheet* m_sheet;
};

Formats makeFormats(lxw_workbook* book) {
    Formats f{};
    for (lxw_format** format : {&f.heading, &f.bold, &f.number, &f.integer, &f.money, &f.total}) *format = workbook_add_format(book);
    for (lxw_format* format : {f.heading, f.bold, f.total}) format_set_bold(format);
    format_set_bg_color(f.heading, 0xE6E9ED);
    format_set_bottom(f.heading, LXW_BORDER_THIN);
    format_set_text_wrap(f.heading);
    format_set_num_format(f.number, "#,##0.0##");
    format_set_num_format(f.integer, "#,##0");
    format_set_num_format(f.money, "#,##0.00");
    format_set_num_format(f.total, "#,##0.##");
    format_set_top(f.total, LXW_BORDER_THIN);
    return f;
}

} // namespace

Status writeWorkbook(const std::vector<Table>& tables, const std::string& path) {
    return replaceFile(path, [&](const std::string& temporary) -> Status {
        lxw_workbook* book = workbook_new(temporary.c_str());
        if (!book) return Error::file(path, "no workbook can be started: out of memory");
        lxw_doc_properties properties{};
        properties.created = 1767225600; // fixed (2026-01-01): equal input gives equal bytes
        workbook_set_properties(book, &properties);
        const Formats formats = makeFormats(book);
        for (const Table& table : tables) SheetWriter(book, formats, table).write();
        const lxw_error failure = workbook_close(book);
        if (failure != LXW_NO_ERROR)
            return Error::file(path, std::string("cannot be written: ") + lxw_strerror(failure) + "; choose another folder");
        return Done{};
    });
}

} // namespace railyard
