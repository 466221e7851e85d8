// A design as canonical text: the same design gives the same bytes.
#pragma once

#include "core/design/model/design.h"

#include <string>

namespace railyard {

std::string designText(const Design& design);

} // namespace railyard
