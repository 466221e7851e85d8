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
// Adds a member whose key the object does not have. The object's own functions would look through all members first, which takes
// minutes for objects that grow with the design.
inline Json& addMember(Json& object, std::string key, Json value) {
    using Members = Json::object_t::Container;
    return object.get_ref<Json::object_t&>().Members::emplace_back(std::move(key), std::move(value)).second;
}

Result<Json> parseJson(const std::string& text, const std::string& file);

} // namespace railyard
