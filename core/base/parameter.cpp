#include "core/base/parameter.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace railyard {
namespace {

template <class Number>
std::optional<Number> numberFrom(const std::string& text) {
    Number value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

} // namespace

std::string ParameterInfo::option() const {
    std::string name = fmt::format("--{}", key);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

std::string_view ParameterInfo::typeName() const {
    constexpr std::string_view names[] = {"integer", "number", "choice", "choice", "text", "part", "ratio"};
    return names[static_cast<std::size_t>(kind)];
}

std::string ParameterInfo::rangeText() const {
    if (!range.empty()) return std::string(range);
    std::vector<std::string_view> values;
    for (const ParameterChoice& choice : choices) values.push_back(choice.value);
    return values.empty() ? fmt::format("{}…{}", low, high) : fmt::format("{}", fmt::join(values, ", "));
}

std::string ParameterInfo::problemOf(const std::string& text) const {
    switch (kind) {
    case Kind::Whole: {
        const auto value = numberFrom<std::int64_t>(text);
        const bool good = value && *value >= static_cast<std::int64_t>(low) && *value <= static_cast<std::int64_t>(high);
        return good ? std::string()
                    : fmt::format("must be a whole number from {} to {}", static_cast<std::int64_t>(low), static_cast<std::int64_t>(high));
    }
    case Kind::Real: {
        const auto value = numberFrom<double>(text);
        const bool good = value && *value >= low && *value <= high;
        return good ? std::string() : fmt::format("must be a number from {:g} to {:g}", low, high);
    }
    case Kind::Switch:
    case Kind::Choice: {
        std::vector<std::string_view> values;
        for (const ParameterChoice& choice : choices) values.push_back(choice.value);
        const bool good = std::find(values.begin(), values.end(), text) != values.end();
        return good ? std::string() : fmt::format("must be one of {}", fmt::join(values, ", "));
    }
    case Kind::Text:
    case Kind::Part:
    case Kind::Ratio: break;
    }
    return {};
}

std::string parameterText(double value) { return fmt::format("{}", value); }

double parameterNumber(const std::string& text) { return numberFrom<double>(text).value_or(0); }

std::string keysOf(const std::vector<std::string_view>& keys) { return fmt::format("{}", fmt::join(keys, ", ")); }

Error ofParameter(Error error, std::string_view key, const std::string& value) {
    if (!error.field.empty()) return error;
    const std::string head = value + ": ";
    std::string wrong = error.text.starts_with(head) ? error.text.substr(head.size()) : std::move(error.text);
    return Error::parameter(error.kind, error.code.empty() ? "range" : error.code, std::string(key), value, std::move(wrong));
}

Error unknownParameter(std::string_view of, std::string_view key, const std::string& value, const std::vector<std::string_view>& known) {
    return Error::parameter(Error::Kind::Usage, "unknown", std::string(key), value,
                            fmt::format("is not an option of {}; known are {}", of, keysOf(known)));
}

} // namespace railyard
