// Groups hand-drawn elements into a block that can be placed again, and dissolves blocks into hand-drawn elements.
#pragma once

#include "core/design/edits/edit.h"
#include "core/fabric/fabric.h"

namespace railyard {

// The elements become group[n], an instance of a new block; their cables are kept.
Result<Edit> groupElements(const Design& design, const std::vector<std::string>& paths);

// Replaces the block at a path (a group, or su[3] of the recipe) by its elements with all their cables: the fabric stays the
// same, port for port. Elements are drawn starting at `at`, or after the hand-drawn elements; positions inside the block are
// relative to it.
Result<Edit> dissolve(const Fabric& fabric, const std::string& path, std::optional<Point> at);

} // namespace railyard
