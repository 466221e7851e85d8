// The size of a design, computed without elaborating it.
#pragma once

#include "core/design/design.h"

namespace railyard {

// The number of devices that elaboration would create, without subtracting removed elements. Saturates at a very large value.
std::int64_t deviceCount(const Design& design);
std::int64_t elementCount(const Design& design); // devices and block instances

// The memory that a design keeps in addition to another one: equal blocks are shared, everything else is counted. Approximate.
std::size_t ownBytes(const Design& design, const Design& other);

} // namespace railyard
