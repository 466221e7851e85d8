// The size of a design, computed without elaborating it.
#pragma once

#include "core/design/model/design.h"

namespace railyard {

// The number of devices that elaboration would create, without subtracting removed elements. Saturates at a very large value.
std::int64_t deviceCount(const Design& design);
std::int64_t elementCount(const Design& design); // devices and block instances

} // namespace railyard
