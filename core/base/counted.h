// Counts inside sentences, in the singular or the plural.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace railyard {

// `one` for a count of 1, otherwise `many`; "{}" in it stands for the count: counted(2, "{} switch", "{} switches").
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

} // namespace railyard
