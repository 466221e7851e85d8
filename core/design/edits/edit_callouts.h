// Callouts.
#pragma once

#include "core/design/edits/edit_result.h"

#include <optional>
#include <string>
#include <string_view>

namespace railyard {

// Callouts are named callout[1], callout[2] ... in their order. They are removed, moved and renamed like elements, but moved in
// their own coordinates.
std::string_view toText(Callout::Kind kind);
std::optional<Callout::Kind> calloutKindFrom(std::string_view text);
inline constexpr std::size_t mostCallouts = 1000; // more than a person can read
std::string calloutPath(std::size_t index);
std::optional<std::size_t> calloutAt(const Design& design, std::string_view path);
Result<Edit> addCallout(const Design& design, const Callout& callout);
Result<Edit> changeCallout(const Design& design, std::size_t index, const Callout& callout);

} // namespace railyard
