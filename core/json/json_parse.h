// Parses JSON text within limits that hold for every file that people hand to the program.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>
#include <string>

namespace railyard {

using Json = nlohmann::ordered_json;

// At most 256 MiB, 20 million values and 64 levels; a key that an object has twice is an error. Control characters in strings are
// replaced by U+FFFD (core/base/text.h).
inline constexpr std::size_t mostJsonBytes = std::size_t{256} << 20U; // what is larger is not read in the first place
Result<Json> parseJson(const std::string& text, const std::string& file);

} // namespace railyard
