// Stable names of elements: pod[3]/su[1]/leaf[4], a port leaf[4]:17, a breakout lane leaf[4]:17.2. Indices count from 1.
// A selector is a path in which * matches one segment, ** any number of segments, [a-b] and [*] indices.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

struct PathSegment {
    std::string slug;
    int first = 0, last = 0; // index or range of indices; 0, 0 = any index ([*] or no index)
    bool anyDepth = false;   // **
    bool matches(std::string_view slug, int index) const;
};

struct Selector {
    std::vector<PathSegment> segments;
    std::string port; // text after ':', or empty
    // The other form of a selector, key=value: tier=leaf, part=ID, rail=3, rack=B07, row=B, feed=B/A, feed=A, ocs=3.
    std::string key, value;
};

Result<Selector> parseSelector(std::string_view text);
// su[02]/leaf[4] becomes su[2]/leaf[4]; text that is not a path is returned unchanged.
std::string canonicalPath(std::string_view path);
// Splits a path segment with an index: "leaf[4]" -> leaf, 4.
std::optional<std::pair<std::string, int>> parseSegment(std::string_view text);

} // namespace railyard
