// The document, *.railyard: format 2, canonical text; format 1 is migrated on load. Described in docs/file_format.md.
#pragma once

#include "core/base/result.h"
#include "core/io/document/design_text.h"

#include <optional>

namespace railyard {

inline constexpr int documentFormat = 2;

// Returns all errors of the file with line and column.
Result<DesignPointer> readDesign(const std::string& text, const std::string& file);
Result<DesignPointer> loadDesign(const std::string& path);

struct DesignFile {
    DesignPointer design;
    std::string mark;       // contentMark of the bytes that were read, not of what the file holds by now
    bool isCarried = false; // by a picture, a presentation or a workbook, which saving must not replace
};
Result<DesignFile> loadDesignFile(const std::string& path);

// The mark of what was written. With `knownMark`, only a file that still has this content is replaced (core/base/file.h). The caller
// holds the FileLock of `path`.
Result<std::string> saveDesign(const Design& design, const std::string& path, std::optional<std::string> knownMark = {});

} // namespace railyard
