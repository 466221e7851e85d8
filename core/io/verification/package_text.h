// What people see in a workbook and in a presentation, as far as `verify` needs it: the cells of a sheet, the texts of named shapes and
// tables. The files may have been saved by another program since. `bytes` are those of the file; `file` is named in errors.
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <vector>

namespace railyard {

enum class PackageKind { Other, Workbook, Presentation };
Result<PackageKind> kindOfPackage(const std::string& bytes, const std::string& file);

using SheetRows = std::vector<std::vector<std::string>>; // computed values as text, by column
// The rows of these sheets; none of a sheet that is not there. Errors: their XML cannot be read.
Result<std::map<std::string, SheetRows>> rowsOfSheets(const std::string& bytes, const std::vector<std::string>& sheets,
                                                      const std::string& file);

struct NamedShape {
    std::string name, text; // lines of text are joined by blanks
    bool isTitle = false;   // of its slide
};
struct SlideTexts { // of all slides, in their order
    std::vector<NamedShape> shapes;
    std::vector<SheetRows> tables;
};
// Errors: their XML cannot be read.
Result<SlideTexts> slideTexts(const std::string& bytes, const std::string& file);

} // namespace railyard
