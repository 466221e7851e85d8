// Canonical JSON text: two-space indent, objects and lists that fit stand on one line, LF, final newline.
#pragma once

#include "core/json/json_view.h"

namespace railyard {

std::string canonicalText(const Json& json);

} // namespace railyard
