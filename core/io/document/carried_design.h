// Pictures, presentations and workbooks carry the document that they were made of, so that opening one opens the design, and the figures
// that they state: PNG in a chunk of text, SVG in its metadata, PDF in comments, PPTX and XLSX as a part of the package.
#pragma once

#include "core/base/result.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace railyard {

enum class CarriedText { Design, Figures }; // a document; a list of figures, see core/io/stated
using CarriedTexts = std::map<CarriedText, std::string>;

bool canCarryDesign(const std::string& bytes); // by content
// Calls write(path) for a temporary file with this extension, puts the texts that it returns into it and writes the result to `path`.
// Errors: those of `write` and of writing, a file that cannot carry any.
Status writeCarrying(const std::string& path, const std::function<Result<CarriedTexts>(const std::string& path)>& write);
// Empty if the file carries none. Errors: what it carries was damaged.
Result<std::optional<std::string>> carriedText(CarriedText which, const std::string& bytes, const std::string& file);

} // namespace railyard
