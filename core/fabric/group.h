// Elements drawn by hand as one block that can be placed again, and blocks taken apart into elements drawn by hand.
#pragma once

#include "core/design/edit.h"
#include "core/fabric/fabric.h"

namespace railyard {

// The elements become group[n], an instance of a new block; their cables stay where they were.
Result<Edit> groupElements(const Design& design, const std::vector<std::string>& paths);

// The block at a path (a group, or su[3] of the recipe) becomes what it holds, every cable spelled out: the same fabric,
// port for port. Drawn from `at` on, or in the rows of what is drawn by hand; elements that have places in the block are seen
// from there.
Result<Edit> dissolve(const Fabric& fabric, const std::string& path, std::optional<Point> at);

} // namespace railyard
