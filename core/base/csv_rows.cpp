#include "core/base/csv_rows.h"

#include <algorithm>

namespace railyard {

const std::string& CsvRow::cell(std::size_t at) const {
    static const std::string nothing;
    return at < cells.size() ? cells[at] : nothing;
}

Result<std::vector<CsvRow>> csvRows(std::string_view text, const std::string& file) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const std::string_view heading = text.substr(0, text.find('\n'));
    char separator = ',';
    for (const char candidate : {';', '\t'})
        if (std::count(heading.begin(), heading.end(), candidate) > std::count(heading.begin(), heading.end(), separator))
            separator = candidate;
    std::vector<CsvRow> rows;
    CsvRow row{1, {}};
    std::string cell;
    int line = 1, quoteLine = 0;
    const auto endRow = [&] {
        row.cells.push_back(std::move(cell));
        cell.clear();
        if (std::any_of(row.cells.begin(), row.cells.end(), [](const std::string& c) { return !c.empty(); }))
            rows.push_back(std::move(row));
        row = {line, {}};
    };
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') ++line;
        if (quoted) {
            if (c != '"')
                cell += c;
            else if (i + 1 < text.size() && text[i + 1] == '"')
                cell += text[++i];
            else
                quoted = false;
        } else if (c == '"' && cell.empty()) {
            quoted = true;
            quoteLine = line;
        } else if (c == separator) {
            row.cells.push_back(std::move(cell));
            cell.clear();
        } else if (c == '\n') {
            endRow();
        } else if (c != '\r') {
            cell += c;
        }
    }
    if (quoted) return Error::file(file, "a quoted cell is not closed; end it with \"", quoteLine, 1);
    if (!cell.empty() || !row.cells.empty()) endRow();
    return rows;
}

} // namespace railyard
