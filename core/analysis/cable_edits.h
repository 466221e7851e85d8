// Taking a single cable away, of the recipe or drawn by hand.
#pragma once

#include "core/design/edits/edit_result.h"

namespace railyard {

// The cable at this port, with all links that it carries. The ports of a recipe's cable stay and are free: the removal is an override
// of the port, which `reset` takes back.
Result<Edit> disconnect(const DesignPointer& design, const std::string& port);
// The same for the first cable between two devices or ports.
Result<Edit> disconnect(const DesignPointer& design, const std::string& a, const std::string& b);

} // namespace railyard
