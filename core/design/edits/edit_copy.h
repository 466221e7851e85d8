// Copies of hand-drawn elements.
#pragma once

#include "core/design/edits/edit_result.h"

#include <string>
#include <vector>

namespace railyard {

// Copies hand-drawn elements with the cables between them, and pastes them into a design with an offset and new names.
Result<DesignPointer> copyElements(const Design& design, const std::vector<std::string>& paths);
Result<Edit> pasteElements(const Design& design, const Design& part, Point by);

} // namespace railyard
