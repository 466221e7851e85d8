#include "core/sweep/axis_values.h"

#include "core/base/parameter.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::string_view numerals = "0123456789";

// Whether this run of digits and commas, as in 16,384, may be a number that is written with commas. A list without spaces is clear where
// a piece does not have three digits, or where three or more values increase: 512,1024 and 128,256,512.
bool mayBeGrouped(std::string_view run) {
    constexpr std::size_t group = 3;
    std::vector<std::string> pieces{""};
    for (const char c : run)
        if (c == ',')
            pieces.emplace_back();
        else
            pieces.back() += c;
    if (pieces.back().empty()) pieces.pop_back(); // 16, 32
    bool hasGroup = false, doesIncrease = true;
    for (std::size_t p = 1; p < pieces.size(); ++p) {
        const bool isGroup = pieces[p].size() == group && pieces[p - 1].size() <= group;
        if (isGroup && pieces[p].front() == '0') return true; // 1,024
        hasGroup = hasGroup || isGroup;
        doesIncrease = doesIncrease && parameterNumber(pieces[p - 1]) < parameterNumber(pieces[p]);
    }
    return hasGroup && (pieces.size() == 2 || !doesIncrease);
}

// The first such run; empty if there is none.
std::string groupedNumber(const std::string& text) {
    for (std::size_t begin = 0; (begin = text.find_first_of(numerals, begin)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789,", begin), text.size());
        // The first piece may be a part of something else: 0.5,1,024 and 33:31,128:96 and a100,200.
        const char before = begin > 0 ? text[begin - 1] : ' ';
        const bool isRange = before == '.' && begin > 1 && text[begin - 2] == '.';
        const bool isPart =
            std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_' || before == ':' || (before == '.' && !isRange);
        std::size_t first = begin, last = end;
        if (isPart) first = std::min(text.find(',', begin), end - 1) + 1;
        if (end < text.size() && text[end] == ':') last = std::max(first, text.rfind(',', end - 1) + 1); // the last one of a ratio
        while (last > first && text[last - 1] == ',') --last;
        if (last > first && mayBeGrouped(std::string_view(text).substr(first, last - first))) return text.substr(first, last - first);
        begin = end;
    }
    return {};
}

} // namespace

Result<std::vector<std::string>> axisValues(const std::string& text) {
    constexpr std::size_t most = 1000;
    std::vector<std::string> values;
    const auto wrong = [&](const std::string& what) {
        return Error::usage(fmt::format("\"{}\": {}; write 512, 1024, or 512..4096 to double, or 8..72+8 for steps", text, what));
    };
    if (const std::string run = groupedNumber(text); !run.empty())
        return Error::usage(fmt::format("\"{}\" is ambiguous: write a number without commas, and a space after each comma of a list", run));
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        std::string value = text.substr(begin, comma - begin);
        begin = comma + 1;
        const std::size_t first = value.find_first_not_of(" \t"), last = value.find_last_not_of(" \t");
        if (first == std::string::npos) continue;
        value = value.substr(first, last - first + 1);
        const std::size_t dots = value.find("..");
        if (dots == std::string::npos) {
            values.push_back(value);
            continue;
        }
        const std::size_t plus = value.find('+', dots);
        const double low = parameterNumber(value.substr(0, dots)),
                     high = parameterNumber(value.substr(dots + 2, plus == std::string::npos ? plus : plus - dots - 2)),
                     step = plus == std::string::npos ? 0 : parameterNumber(value.substr(plus + 1));
        if (!(low > 0) || !(high >= low) || !std::isfinite(high) || (plus != std::string::npos && !(step > 0)))
            return wrong("is no range that ends");
        double each = low;
        for (int count = 1; each <= high * (1 + 1e-12); ++count) {
            if (values.size() == most) return wrong(fmt::format("has more than {} values", most));
            values.push_back(parameterText(parameterNumber(fmt::format("{:.12g}", each)))); // 0.3, not 0.30000000000000004
            each = step > 0 ? low + count * step : each * 2;
        }
    }
    if (values.empty()) return wrong("has no values");
    if (values.size() > most) return wrong(fmt::format("has more than {} values", most));
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values[i]) !=
            values.begin() + static_cast<std::ptrdiff_t>(i))
            return wrong("has " + values[i] + " twice");
    return values;
}

} // namespace railyard
