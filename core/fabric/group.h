// Elements drawn by hand as one block that can be placed again, and blocks taken apart into elements drawn by hand.
#pragma once

#include "core/design/edit.h"
#include "core/fabric/fabric.h"

namespace railyard {

// The elements become group[n], an instance of a new block; their cables stay where they were.
Result<Edit> groupElements(const Design& design, const std::vector<std::string>& paths);

// The block at a path (a group, or su[3] of the recipe) becomes what it holds, every cable spelled out: the same fabric,
// port for port. Drawn from `at` on, unless the elements have places of their own, which are then seen from there.
Result<Edit> dissolve(const Fabric& fabric, const std::string& path, Point at);

// What can be drawn again: blocks made by grouping, by name.
std::vector<std::string> templatesOf(const Design& design);
Result<Edit> dropTemplate(const Design& design, const std::string& block, Point at);

} // namespace railyard
