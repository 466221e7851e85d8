// Blocks of instances.
#pragma once

#include "core/design/edits/edit_result.h"

#include <string>
#include <vector>

namespace railyard {

// Blocks of instances such as su[3]: makeUnique gives each of them its own copy; changeBlocks sets the number of devices or
// inner blocks with one slug, in a new block that is shared by all instances that had the same block.
struct BlockChange {
    std::string row; // slug: leaf, srv
    int count = 0;
};
Result<Edit> makeUnique(const Design& design, const std::vector<std::string>& paths);
Result<Edit> changeBlocks(const Design& design, const std::vector<std::string>& paths, const BlockChange& change);

} // namespace railyard
