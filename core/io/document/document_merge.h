// A three-way merge of designs: what two people changed since a common design.
#pragma once

#include "core/base/result.h"
#include "core/design/model/design.h"

#include <string>
#include <vector>

namespace railyard {

struct MergeConflict {
    std::string path;               // overrides.su[1]/leaf[2].part
    std::string base, ours, theirs; // as JSON text; empty: absent
};

struct MergedDesign {
    DesignPointer design;                 // where both changed the same value, it has ours
    std::vector<MergeConflict> conflicts; // in the order of the document
};

// Edits of different values are both applied, whoever made them: the result is that of applying one after the other. A value that one
// changed and the other removed is kept, and is a conflict. If both changed the recipe, it is run again with the parameters of both.
// Errors: the merged document cannot be built, although it has no conflict (it would exceed a limit, or name an element twice).
Result<MergedDesign> merged(const Design& base, const Design& ours, const Design& theirs);

} // namespace railyard
