// Labels of many elements at once, from a template.
#pragma once

#include "core/design/edits/edit_result.h"

#include <string>
#include <vector>

namespace railyard {

// "DC1-{su}-L{position}": fields are {pod} {su} {position} {rail} {rack} {u}; position is the index of the element in its parent. An
// element without a value for a field is refused; the edit warns where labels repeat.
Result<Edit> labelByTemplate(const DesignPointer& design, const std::vector<std::string>& paths, const std::string& text);

} // namespace railyard
