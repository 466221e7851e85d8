#include "core/design/model/path.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace railyard {
namespace {

std::optional<int> parseIndex(std::string_view text) {
    int value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value < 1) return {};
    return value;
}

Error malformed(std::string_view text, std::string_view why) {
    return Error::usage(fmt::format("selector \"{}\" {}; expected a path such as su[1]/leaf[4], su[*]/srv[1-4] or **/leaf[2], or "
                                    "tier=leaf, part=ID, rail=3, rack=B07, row=B, feed=B/A, ocs=3",
                                    text, why))
        .with("selector.syntax", std::string(text));
}

std::optional<PathSegment> parseSelectorSegment(std::string_view text) {
    PathSegment segment;
    if (text == "**") return segment.anyDepth = true, segment;
    const std::size_t open = text.find('[');
    segment.slug = std::string(text.substr(0, open));
    if (segment.slug.empty()) return {};
    if (open == std::string_view::npos) return segment;
    if (text.back() != ']') return {};
    const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    if (inside == "*") return segment;
    const std::size_t dash = inside.find('-');
    const auto first = parseIndex(inside.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parseIndex(inside.substr(dash + 1));
    if (!first || !last || *last < *first) return {};
    segment.first = *first;
    segment.last = *last;
    return segment;
}

} // namespace

bool PathSegment::matches(std::string_view name, int index) const {
    return (slug == "*" || slug == name) && (first == 0 || (index >= first && index <= last));
}

std::optional<std::pair<std::string, int>> parseSegment(std::string_view text) {
    const auto segment = parseSelectorSegment(text);
    if (!segment || segment->first == 0 || segment->first != segment->last) return {};
    return std::pair(segment->slug, segment->first);
}

Result<Selector> parseSelector(std::string_view text) {
    Selector selector;
    if (text.empty()) return malformed(text, "is empty");
    if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
        selector.key = std::string(text.substr(0, equals));
        selector.value = std::string(text.substr(equals + 1));
        constexpr std::array<std::string_view, 7> keys{"tier", "part", "rail", "rack", "row", "feed", "ocs"};
        if (std::find(keys.begin(), keys.end(), selector.key) == keys.end())
            return malformed(text, "has the unknown key \"" + selector.key + "\"");
        return selector;
    }
    std::string_view rest = text;
    if (const std::size_t colon = rest.find(':'); colon != std::string_view::npos) {
        selector.port = std::string(rest.substr(colon + 1));
        rest = rest.substr(0, colon);
        if (selector.port.empty()) return malformed(text, "ends with a colon but no port");
    }
    while (!rest.empty()) {
        const std::size_t slash = rest.find('/');
        const auto segment = parseSelectorSegment(rest.substr(0, slash));
        if (!segment) return malformed(text, fmt::format("contains the invalid segment \"{}\"", rest.substr(0, slash)));
        selector.segments.push_back(*segment);
        rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
    }
    if (selector.segments.empty()) return malformed(text, "is empty");
    return selector;
}

std::string canonicalPath(std::string_view path) {
    std::string canonical;
    for (std::size_t from = 0; from <= path.size();) {
        const std::size_t slash = std::min(path.find('/', from), path.size());
        const auto segment = parseSegment(path.substr(from, slash - from));
        if (!segment) return std::string(path);
        canonical += (canonical.empty() ? "" : "/") + segment->first + "[" + std::to_string(segment->second) + "]";
        from = slash + 1;
    }
    return canonical;
}

} // namespace railyard
