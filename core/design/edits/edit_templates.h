// Reusable groups of elements.
#pragma once

#include "core/design/edits/edit_result.h"

#include <string>
#include <vector>

namespace railyard {

// Reusable templates: the groups of this design and an SU of each published system.
struct Template {
    std::string name, words; // key for drag and drop; name for people
};
std::vector<Template> templatesOf(const Design& design);
// Drops a palette item or a template by name. On an empty drawing an SU starts its recipe, otherwise it is added as a group.
Result<Edit> dropNamed(const Design& design, std::string_view name, Point at);

// Copies the block at a path into a new group that does not change with the recipe.
Result<Edit> copyBlock(const Design& design, const std::string& path, Point at);

} // namespace railyard
