// Canonical JSON text: two-space indent, short objects and lists on one line, LF, final newline.
#pragma once

#include "core/json/json_view.h"

namespace railyard {

std::string canonicalText(const Json& json);
// The text of an answer. Bytes that are not UTF-8, which can only be in file names of the system, become U+FFFD; nlohmann would throw.
std::string jsonText(const Json& json, int indent = 2);

} // namespace railyard
