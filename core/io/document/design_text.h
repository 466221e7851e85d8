// A design as canonical text: the same design gives the same bytes.
#pragma once

#include "core/design/model/design.h"
#include "core/json/json_view.h"

#include <string>

namespace railyard {

std::string designText(const Design& design);
Json designJson(const Design& design); // what that text says

} // namespace railyard
