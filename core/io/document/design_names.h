// The names of the enumerations of a document, shared by reader and writer. Internal to core/io.
#pragma once

#include <string_view>

namespace railyard {

inline constexpr std::string_view roleNames[] = {"plain", "su", "pod", "rail", "server", "hb-domain", "plane"};
inline constexpr std::string_view leafRackNames[] = {"middle", "end"};
inline constexpr std::string_view mediumNames[] = {"optical", "by-length"};
inline constexpr std::string_view trunkNames[] = {"per-link", "per-cage"};
inline constexpr std::string_view railNames[] = {"none", "own", "scope"};

} // namespace railyard
