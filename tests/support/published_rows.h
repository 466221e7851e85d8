// A CSV file of tests/data/published, row by row.
#pragma once

#include "core/base/csv_rows.h"
#include "core/base/file.h"

#include <map>
#include <string>
#include <vector>

namespace railyard::test {

struct PublishedRow {
    std::map<std::string, std::string> cells; // by the names of the first row
    const std::string& text(const char* key) const { return cells.at(key); }
    double number(const char* key) const { return std::stod(text(key)); }
    std::int64_t whole(const char* key) const { return std::stoll(text(key)); }
};

inline std::vector<PublishedRow> publishedRows(const std::string& name) {
    const std::string file = RAILYARD_SOURCE_DIR "/tests/data/published/" + name;
    std::vector<PublishedRow> all;
    std::vector<std::string> names;
    (void)eachCsvRow(*readFile(file), file, [&](const CsvRow& row) {
        if (names.empty()) return names = row.cells, true;
        PublishedRow read;
        for (std::size_t c = 0; c < names.size(); ++c) read.cells[names[c]] = row.cell(c);
        return all.push_back(std::move(read)), true;
    });
    return all;
}

} // namespace railyard::test
