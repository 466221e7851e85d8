#include "core/base/csv_rows.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {

const std::string& CsvRow::cell(std::size_t at) const {
    static const std::string nothing;
    return at < cells.size() ? cells[at] : nothing;
}

static char separatorOf(std::string_view heading) {
    char separator = ',';
    for (const char candidate : {';', '\t'})
        if (std::count(heading.begin(), heading.end(), candidate) > std::count(heading.begin(), heading.end(), separator))
            separator = candidate;
    return separator;
}

Status eachCsvRow(std::string_view text, const std::string& file, const std::function<bool(const CsvRow&)>& use) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const char separator = separatorOf(text.substr(0, text.find('\n')));
    CsvRow row{1, {}};
    std::string cell;
    int line = 1, quoteLine = 0;
    bool quoted = false, isWanted = true;
    const auto endCell = [&] {
        row.cells.push_back(std::move(cell));
        cell.clear();
    };
    const auto endRow = [&] {
        endCell();
        const bool hasText = std::any_of(row.cells.begin(), row.cells.end(), [](const std::string& c) { return !c.empty(); });
        isWanted = !hasText || use(row);
        row.cells.clear();
        row.line = line;
    };
    for (std::size_t i = 0; i < text.size() && isWanted; ++i) {
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
            endCell();
            if (row.cells.size() >= mostCsvCells)
                return Error::file(file,
                                   fmt::format("the row has more than {} cells, which is the maximum; remove empty columns", mostCsvCells),
                                   row.line, 1)
                    .with("limit");
        } else if (c == '\n') {
            endRow();
        } else if (c != '\r') {
            cell += c;
        }
    }
    if (quoted) return Error::file(file, "a quoted cell is not closed; end it with \"", quoteLine, 1);
    if (isWanted && (!cell.empty() || !row.cells.empty())) endRow();
    return Done{};
}

} // namespace railyard
