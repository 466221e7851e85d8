// The formats in which something is exported, one row each. Help, errors and the filters of file dialogs are made of the rows.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace railyard {

struct FileFormat {
    std::string_view extension, title; // ".xlsx", "Workbook"
};

template <class Content>
struct FormatRow : FileFormat {
    Status (*write)(const Content& content, const std::string& path);
};

template <class Content>
std::vector<FileFormat> formatsOf(const std::vector<FormatRow<Content>>& rows) {
    return {rows.begin(), rows.end()};
}
std::string extensionsOf(const std::vector<FileFormat>& formats); // ".xlsx, .csv or .json"

// The row of the path's extension; that of .csv for "-", which is standard output. Null if there is none.
template <class Content>
const FormatRow<Content>* formatFor(const std::vector<FormatRow<Content>>& rows, const std::string& path) {
    for (const FormatRow<Content>& row : rows)
        if (path == "-" ? row.extension == ".csv" : path.ends_with(row.extension)) return &row;
    return nullptr;
}

// `what` names the content, for example "a bill of materials".
Error unknownFormat(std::string_view what, const std::string& path, const std::vector<FileFormat>& formats);
template <class Content>
Error unknownFormat(std::string_view what, const std::string& path, const std::vector<FormatRow<Content>>& rows) {
    return unknownFormat(what, path, formatsOf(rows));
}

} // namespace railyard
