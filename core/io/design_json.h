// The document, *.railyard: format 1, canonical text. Described in docs/file_format.md.
#pragma once

#include "core/base/result.h"
#include "core/design/design.h"

namespace railyard {

inline constexpr int documentFormat = 1;

std::string designText(const Design& design);
// Every error of the file, with its line and column; the caller's own document stays as it was.
Result<DesignPointer> readDesign(const std::string& text, const std::string& file);
Result<DesignPointer> loadDesign(const std::string& path);
Status saveDesign(const Design& design, const std::string& path);

} // namespace railyard
