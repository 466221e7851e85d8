// What people see in a workbook and in a presentation, as far as `verify` needs it: the cells of a sheet, the texts of named shapes. The
// files may have been saved by another program since.
#pragma once

#include "core/base/zip_file.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

using SheetRows = std::vector<std::vector<std::string>>; // computed values as text, by column

bool isWorkbook(const ZipEntries& package);
bool isPresentation(const ZipEntries& package);
// The rows of a sheet; empty if there is no sheet of this name. Errors: its XML cannot be read.
Result<std::optional<SheetRows>> rowsOfSheet(const ZipEntries& package, const std::string& sheet, const std::string& file);

struct NamedShape {
    std::string name, text; // lines of text are joined by blanks
};
// Of all slides, in their order. Errors: their XML cannot be read.
Result<std::vector<NamedShape>> namedShapes(const ZipEntries& package, const std::string& file);

} // namespace railyard
