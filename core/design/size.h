// How large a design is, before anything of it is spelled out.
#pragma once

#include "core/design/design.h"

namespace railyard {

// Devices that elaborating it would make, overrides that remove some not counted. Saturates far above anything that fits.
std::int64_t deviceCount(const Design& design);
std::int64_t elementCount(const Design& design); // devices, and the instances of blocks they stand in

} // namespace railyard
