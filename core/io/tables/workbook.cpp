#include "core/io/tables/workbook.h"

#include "core/base/c_numbers.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <numeric>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <xlsxwriter.h>

namespace railyard {
namespace {

std::string columnLetters(std::size_t index) {
    std::string letters;
    for (std::size_t n = index + 1; n > 0; n = (n - 1) / 26) letters.insert(letters.begin(), static_cast<char>('A' + (n - 1) % 26));
    return letters;
}

// {BOM!Qty} -> 'BOM'!$F$2:$F$9; {Power!Power (W)@network} -> 'Power'!$B$5
std::string onSheet(const std::vector<Table>& sheets, const std::string& reference) {
    const std::size_t mark = reference.find('!'), at = reference.find('@', mark);
    const std::string name = reference.substr(0, mark), column = reference.substr(mark + 1, at == std::string::npos ? at : at - mark - 1);
    const auto sheet = std::find_if(sheets.begin(), sheets.end(), [&](const Table& each) { return each.name == name; });
    if (sheet == sheets.end()) throw std::logic_error(fmt::format("a formula refers to the sheet {}, which is not there", name));
    const std::string letters = columnLetters(sheet->columnOf(column));
    if (at == std::string::npos)
        return fmt::format("'{0}'!${1}$2:${1}${2}", name, letters, std::max<std::size_t>(1, sheet->rows.size()) + 1);
    const auto row = std::find_if(sheet->rows.begin(), sheet->rows.end(), [&](const std::vector<Cell>& cells) {
        const auto* text = std::get_if<std::string>(&cells.front());
        return text && *text == reference.substr(at + 1);
    });
    if (row == sheet->rows.end()) throw std::logic_error(fmt::format("a formula refers to {}, which is not there", reference));
    return fmt::format("'{}'!${}${}", name, letters, row - sheet->rows.begin() + 2);
}

// {Qty} -> F7
std::string inPlace(const std::vector<Table>& sheets, const Table& table, const std::string& formula, std::size_t sheetRow) {
    std::string text = formula;
    for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
        const std::size_t end = text.find('}', at);
        const std::string reference = text.substr(at + 1, end - at - 1);
        if (end != std::string::npos && reference.find('!') != std::string::npos)
            text.replace(at, end - at + 1, onSheet(sheets, reference));
    }
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const std::string name = "{" + table.columns[c].name + "}";
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
            text.replace(at, name.size(), columnLetters(c) + std::to_string(sheetRow));
    }
    return text;
}

// At most this number of bytes, and no half of a character at the end.
std::string cut(std::string text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
    text.resize(bytes);
    return text;
}

std::string printable(const std::string& text) {
    std::string clean;
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') clean += c;
    return cut(std::move(clean), 32000); // a cell holds 32,767 characters
}

// Lines that a text takes in a column of this width in characters; words longer than a line are broken.
int linesOf(const std::string& text, double width) {
    const auto most = static_cast<std::size_t>(std::max(1.0, width));
    int lines = 1;
    std::size_t used = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t to = std::min(text.find(' ', from), text.size());
        const auto isStart = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
        const auto length = static_cast<std::size_t>(
            std::count_if(text.begin() + static_cast<std::ptrdiff_t>(from), text.begin() + static_cast<std::ptrdiff_t>(to), isStart));
        if (used > 0 && used + 1 + length <= most) {
            used += 1 + length;
        } else {
            if (used > 0) ++lines;
            lines += static_cast<int>(length > 0 ? (length - 1) / most : 0);
            used = length > 0 ? (length - 1) % most + 1 : 0;
        }
        from = to + 1;
    }
    return lines;
}

// What a cell is written in: a number format, and whether it wraps, is a total or a heading.
class Formats {
public:
    explicit Formats(lxw_workbook* book) : m_book(book) {
        m_heading = add();
        format_set_bold(m_heading);
        format_set_bg_color(m_heading, 0xE6E9ED);
        format_set_bottom(m_heading, LXW_BORDER_THIN);
        format_set_text_wrap(m_heading);
        m_note = workbook_add_format(book);
        for (std::size_t f = 0; f < numberFormats.size(); ++f) {
            m_numbers[f] = add(numberFormats[f]);
            m_totals[f] = add(numberFormats[f]);
            format_set_bold(m_totals[f]);
            format_set_top(m_totals[f], LXW_BORDER_THIN);
        }
        for (std::size_t t = 0; t < m_texts.size(); ++t) {
            m_texts[t] = add();
            if (t % 2 == 1) format_set_text_wrap(m_texts[t]);
            if (t >= 2) format_set_indent(m_texts[t], 1);
        }
    }

    lxw_format* heading() const { return m_heading; }
    lxw_format* note() const { return m_note; }
    // Text beside a column of numbers stands a little apart from them.
    lxw_format* text(const Column& column, bool isNextToNumber) const { return m_texts[(column.wraps ? 1 : 0) + (isNextToNumber ? 2 : 0)]; }
    lxw_format* number(double value, CellFormat format) const { return m_numbers[indexOf(value, format)]; }
    lxw_format* total(double value, CellFormat format) const { return m_totals[indexOf(value, format)]; }
    lxw_format* totalText() const { return m_totals[0]; }

private:
    // In the order of CellFormat; the last is for shares that would else read 100.0% or 0.0%.
    static constexpr std::array<const char*, 7> numberFormats{"",         "#,##0", "#,##0.00", "#,##0.0##", "0.0%", "+0.0%;-0.0%;0.0%",
                                                              "0.0#####%"};

    // "#,##0.0##" would show a whole number as 4,096.0, and "#,##0.###" as "4,096.".
    static std::size_t indexOf(double value, CellFormat format) {
        if (format == CellFormat::Percent && shareDecimals(value) > 1) return numberFormats.size() - 1;
        const bool isWhole = value == std::round(value);
        return static_cast<std::size_t>(format == CellFormat::Decimal && isWhole ? CellFormat::Integer : format);
    }
    lxw_format* add(const char* numberFormat = "") {
        lxw_format* format = workbook_add_format(m_book);
        if (*numberFormat) format_set_num_format(format, numberFormat);
        format_set_align(format, LXW_ALIGN_VERTICAL_TOP);
        return format;
    }

    lxw_workbook* m_book;
    lxw_format *m_heading = nullptr, *m_note = nullptr;
    std::array<lxw_format*, 4> m_texts{}; // wrapped or not, apart or not
    std::array<lxw_format*, 7> m_numbers{}, m_totals{};
};

class SheetWriter {
public:
    SheetWriter(lxw_workbook* book, const Formats& formats, const std::vector<Table>& sheets, const Table& table)
        : m_formats(formats),
          m_sheets(sheets),
          m_table(table),
          m_sheet(workbook_add_worksheet(book, table.name.c_str())) {}

    void write(const std::string& title) {
        measure();
        for (std::size_t c = 0; c < m_table.columns.size(); ++c) {
            const auto column = static_cast<lxw_col_t>(c);
            worksheet_set_column(m_sheet, column, column, m_widths[c], nullptr);
            worksheet_write_string(m_sheet, 0, column, m_table.columns[c].name.c_str(), m_formats.heading());
        }
        worksheet_freeze_panes(m_sheet, 1, 0);
        setHeights();
        for (std::size_t r = 0; r < m_table.rows.size(); ++r)
            for (std::size_t c = 0; c < m_table.rows[r].size(); ++c) cell(r + 1, c, m_table.rows[r][c]);
        if (!m_table.rows.empty())
            worksheet_autofilter(m_sheet, 0, 0, static_cast<lxw_row_t>(m_table.rows.size()),
                                 static_cast<lxw_col_t>(m_table.columns.size() - 1));
        std::size_t row = m_table.rows.size() + 1;
        if (!m_table.sums.empty()) sums(row++);
        for (const std::string& note : m_table.notes)
            worksheet_write_string(m_sheet, static_cast<lxw_row_t>(++row), 0, printable(note).c_str(), m_formats.note());
        print(title);
    }

private:
    // As wide as asked for, and wide enough for every number: one that does not fit is shown as ####.
    void measure() {
        const auto& columns = m_table.columns;
        m_widths.resize(columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c) {
            std::size_t digits = 0;
            double sum = 0;
            for (const auto& row : m_table.rows) {
                const auto value = numberIn(row[c]);
                if (!value) continue;
                sum += *value;
                digits = std::max(digits, shownNumber(*value, formatOf(row[c], columns[c])).size());
            }
            if (isSummed(columns[c])) digits = std::max(digits, shownNumber(sum, columns[c].format).size() + 1); // bold
            m_widths[c] = std::max(columns[c].width, static_cast<double>(digits) + 1.5);
        }
    }
    bool isSummed(const Column& column) const {
        return std::find(m_table.sums.begin(), m_table.sums.end(), column.name) != m_table.sums.end();
    }
    // Spreadsheet programs do not agree on whether they fit the heights of rows to text that wraps.
    void setHeights() {
        constexpr double line = 15; // points, of the default font
        const auto set = [&](std::size_t row, int lines) {
            if (lines > 1) worksheet_set_row(m_sheet, static_cast<lxw_row_t>(row), line * lines, nullptr);
        };
        int heading = 1;
        for (std::size_t c = 0; c < m_widths.size(); ++c) heading = std::max(heading, linesOf(m_table.columns[c].name, m_widths[c] - 1));
        set(0, heading);
        if (std::none_of(m_table.columns.begin(), m_table.columns.end(), [](const Column& column) { return column.wraps; })) return;
        for (std::size_t r = 0; r < m_table.rows.size(); ++r) {
            int lines = 1;
            for (std::size_t c = 0; c < m_widths.size(); ++c)
                if (const auto* text = std::get_if<std::string>(&m_table.rows[r][c]); text && m_table.columns[c].wraps)
                    lines = std::max(lines, linesOf(*text, m_widths[c] - 1));
            set(r + 1, lines);
        }
    }
    void print(const std::string& title) {
        constexpr int a3 = 8, a4 = 9;
        constexpr double widestOnA4 = 260; // characters: they are printed 6.5 points high there
        const double width = std::accumulate(m_widths.begin(), m_widths.end(), 0.0);
        constexpr double side = 0.3, end = 0.5; // inches
        worksheet_repeat_rows(m_sheet, 0, 0);
        worksheet_set_landscape(m_sheet);
        worksheet_set_paper(m_sheet, width > widestOnA4 ? a3 : a4);
        worksheet_set_margins(m_sheet, side, side, end, end);
        worksheet_fit_to_pages(m_sheet, 1, 0);
        std::string name = cut(printable(title), 150); // a footer holds 255 characters
        for (std::size_t at = name.find('&'); at != std::string::npos; at = name.find('&', at + 2)) name.insert(at, "&");
        worksheet_set_footer(m_sheet, ("&L" + name + "&C&A&RPage &P of &N").c_str());
    }
    void cell(std::size_t row, std::size_t column, const Cell& value) {
        const auto r = static_cast<lxw_row_t>(row);
        const auto c = static_cast<lxw_col_t>(column);
        const CellFormat format = m_table.columns[column].format;
        if (const auto* text = std::get_if<std::string>(&value))
            worksheet_write_string(m_sheet, r, c, printable(*text).c_str(),
                                   m_formats.text(m_table.columns[column], isNextToNumber(column)));
        else if (const auto* number = std::get_if<double>(&value))
            worksheet_write_number(m_sheet, r, c, *number, m_formats.number(*number, format));
        else if (const auto* figure = std::get_if<Figure>(&value))
            worksheet_write_number(m_sheet, r, c, figure->value, m_formats.number(figure->value, figure->format));
        else if (const auto* formula = std::get_if<Formula>(&value)) {
            const std::string written = inPlace(m_sheets, m_table, formula->text, row + 1);
            lxw_format* look = m_formats.number(formula->value.value_or(0), formula->format.value_or(format));
            if (formula->value)
                worksheet_write_formula_num(m_sheet, r, c, written.c_str(), look, *formula->value);
            else
                worksheet_write_formula_str(m_sheet, r, c, written.c_str(), look, "");
        }
    }
    bool isNextToNumber(std::size_t column) const { return column > 0 && m_table.columns[column - 1].format != CellFormat::General; }
    // What the sums hold is written from the left; it runs on over the empty cells beside it.
    void sums(std::size_t row) {
        const auto r = static_cast<lxw_row_t>(row);
        worksheet_write_string(m_sheet, r, 0, printable(m_table.sumsLabel).c_str(), m_formats.totalText());
        for (std::size_t c = 0; c < m_table.columns.size(); ++c) {
            const Column& column = m_table.columns[c];
            const auto at = static_cast<lxw_col_t>(c);
            if (!isSummed(column)) {
                if (c > 0) worksheet_write_blank(m_sheet, r, at, m_formats.totalText());
                continue;
            }
            double sum = 0;
            for (const auto& cells : m_table.rows) sum += numberIn(cells[c]).value_or(0);
            const std::string letters = columnLetters(c);
            worksheet_write_formula_num(m_sheet, r, at, fmt::format("=SUM({}2:{}{})", letters, letters, row).c_str(),
                                        m_formats.total(sum, column.format), sum);
        }
    }

    const Formats& m_formats;
    const std::vector<Table>& m_sheets;
    const Table& m_table;
    lxw_worksheet* m_sheet;
    std::vector<double> m_widths; // of the columns, in characters
};

// A file without a name in any folder.
class MemoryFile {
public:
    MemoryFile() : m_descriptor(::memfd_create("workbook", MFD_CLOEXEC)) {}
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() {
        if (isOpen()) ::close(m_descriptor);
    }
    bool isOpen() const { return m_descriptor >= 0; }
    std::string path() const { return fmt::format("/proc/self/fd/{}", m_descriptor); }
    std::string bytes() const {
        std::string bytes(static_cast<std::size_t>(std::max<off_t>(0, ::lseek(m_descriptor, 0, SEEK_END))), '\0');
        for (std::size_t at = 0; at < bytes.size();) {
            const ssize_t got = ::pread(m_descriptor, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
            if (got <= 0) return {};
            at += static_cast<std::size_t>(got);
        }
        return bytes;
    }

private:
    int m_descriptor;
};

// libxlsxwriter keeps the sheets in temporary files and does not notice when they are cut short.
Status spaceForSheets(const std::vector<Table>& tables, const std::string& path) {
    constexpr std::uintmax_t bytesOfCell = 64, atLeast = 1 << 20;
    std::uintmax_t cells = 0; // of the largest: the sheets are written one after another
    for (const Table& table : tables) cells = std::max<std::uintmax_t>(cells, table.rows.size() * table.columns.size());
    std::error_code failure;
    const auto folder = std::filesystem::temp_directory_path(failure);
    const auto space = failure ? std::filesystem::space_info{} : std::filesystem::space(folder, failure);
    const std::uintmax_t needed = atLeast + cells * bytesOfCell;
    if (!failure && space.available >= needed) return Done{};
    return Error::file(path,
                       fmt::format("cannot be written: the folder for temporary files{} needs {} MiB of free space; free some, or set "
                                   "TMPDIR to another folder",
                                   failure ? "" : " " + folder.string(), (needed >> 20U) + 1));
}

} // namespace

Status writeWorkbook(const std::vector<Table>& tables, const std::string& path, const std::string& title) {
    if (Status space = spaceForSheets(tables, path); !space) return space;
    // The library writes to a path and prints what fails; memory does not run full halfway, and the file is written by ours.
    const MemoryFile memory;
    const CNumbers numbers; // the library formats with printf
    lxw_workbook* book = memory.isOpen() ? workbook_new(memory.path().c_str()) : nullptr;
    if (!book) return Error::file(path, "the workbook cannot be created: out of memory");
    lxw_doc_properties properties{};
    properties.created = 1767225600; // fixed (2026-01-01): equal input gives equal bytes
    workbook_set_properties(book, &properties);
    const Formats formats(book);
    for (const Table& table : tables) SheetWriter(book, formats, tables, table).write(title);
    const lxw_error failure = workbook_close(book);
    if (failure != LXW_NO_ERROR) return Error::file(path, fmt::format("the workbook cannot be created: {}", lxw_strerror(failure)));
    return writeFile(path, memory.bytes());
}

} // namespace railyard
