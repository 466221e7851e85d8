// Every edit is a pure function from a design to the next design, or to the reason for a rejection. Also used for previews.
#pragma once

#include "core/base/result.h"
#include "core/design/model/design.h"

#include <string>
#include <vector>

namespace railyard {

struct Edit {
    DesignPointer design;
    std::string label; // description for the history, for example "Add server srv[129]"
    std::vector<std::string> warnings = {};
};

} // namespace railyard
