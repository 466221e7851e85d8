// Pictures, presentations and workbooks carry the document that they were made of, so that opening one opens the design: PNG in a chunk of
// text, SVG in its metadata, PDF in comments, PPTX and XLSX as a part of the package.
#pragma once

#include "core/design/model/design.h"

#include <functional>
#include <optional>
#include <string>

namespace railyard {

bool canCarryDesign(const std::string& bytes); // by content
// Calls write(path) for a temporary file with this extension, puts the document into it and writes the result to `path`. Errors: those of
// `write` and of writing, a file that cannot carry one.
Status writeWithDesign(const Design& design, const std::string& path, const std::function<Status(const std::string& path)>& write);
// The text of the document; empty if the file carries none. Errors: what it carries was damaged.
Result<std::optional<std::string>> carriedDesign(const std::string& bytes, const std::string& file);

} // namespace railyard
