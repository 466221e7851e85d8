// The document, *.railyard: format 2, canonical text; format 1 is migrated on load. Described in docs/file_format.md.
#pragma once

#include "core/base/result.h"
#include "core/io/document/design_text.h"

namespace railyard {

inline constexpr int documentFormat = 2;

// Returns all errors of the file with line and column.
Result<DesignPointer> readDesign(const std::string& text, const std::string& file);
Result<DesignPointer> loadDesign(const std::string& path);
Status saveDesign(const Design& design, const std::string& path);

} // namespace railyard
