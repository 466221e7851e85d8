#include "core/base/expression.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace railyard {
namespace {

// Recursive descent; the first thing that makes no sense ends it.
class Parser {
public:
    Parser(std::string_view text, double current, FieldUnit unit) : m_text(text), m_current(current), m_unit(unit) {}

    Result<double> whole() {
        const char first = peek();
        double value = first == '*' || first == '/' || first == '+' || first == '-' ? tail(m_current) : sum();
        if (!m_wrong && peek() != '\0') fail(fmt::format("\"{}\" is not a valid expression", m_text.substr(m_at)));
        if (!m_wrong && !std::isfinite(value)) fail("division by zero");
        if (m_wrong)
            return Error::usage(*m_wrong + (m_unit == FieldUnit::Length
                                                ? "; write a length, for example 2 m or 6 ft"
                                                : "; write a number or an expression, for example 96 + 32 or *1.1"));
        return value;
    }

private:
    char peek() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at]))) ++m_at;
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }
    bool take(char wanted) {
        if (peek() != wanted) return false;
        ++m_at;
        return true;
    }
    void fail(std::string why) {
        if (!m_wrong) m_wrong = std::move(why);
    }

    // What follows a value: products before sums.
    double tail(double value) {
        value = products(value);
        while (!m_wrong)
            if (take('+'))
                value += product();
            else if (take('-'))
                value -= product();
            else
                break;
        return value;
    }
    double products(double value) {
        while (!m_wrong)
            if (take('*'))
                value *= factor();
            else if (take('/'))
                value /= factor();
            else
                break;
        return value;
    }
    double sum() { return tail(factor()); }
    double product() { return products(factor()); }

    double factor() {
        constexpr int deepest = 40;
        if (++m_depth > deepest) return fail("there are too many nested brackets"), 0;
        double value = 0;
        if (take('-'))
            value = -factor();
        else if (take('(')) {
            value = sum();
            if (!take(')')) fail("a bracket is not closed");
        } else {
            value = number();
        }
        --m_depth;
        return value;
    }

    double number() {
        peek();
        double value = 0;
        const char *begin = m_text.data() + m_at, *end = m_text.data() + m_text.size();
        const auto [after, code] = std::from_chars(begin, end, value, std::chars_format::fixed);
        if (code != std::errc())
            return fail(m_at < m_text.size() ? fmt::format("\"{}\" is not a number", m_text.substr(m_at)) : "a number is missing"), 0;
        m_at += static_cast<std::size_t>(after - begin);
        if (take('%')) return m_current * value / 100;
        const std::size_t from = (peek(), m_at);
        while (m_at < m_text.size() && std::isalpha(static_cast<unsigned char>(m_text[m_at]))) ++m_at;
        const std::string_view unit = m_text.substr(from, m_at - from);
        return unit.empty() ? value : value * factorOf(unit);
    }
    double factorOf(std::string_view unit) {
        if (m_unit == FieldUnit::Length)
            for (const auto& [name, metres] : {std::pair("mm", 0.001), std::pair("cm", 0.01), std::pair("m", 1.0), std::pair("km", 1000.0),
                                               std::pair("in", 0.0254), std::pair("ft", 0.3048)})
                if (unit == name) return metres;
        fail(fmt::format("\"{}\" is not a unit of this field", unit));
        return 0;
    }

    std::string_view m_text;
    double m_current;
    FieldUnit m_unit;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::optional<std::string> m_wrong;
};

} // namespace

Result<double> evaluateField(std::string_view text, double current, FieldUnit unit) { return Parser(text, current, unit).whole(); }

Result<std::int64_t> evaluateCount(std::string_view text, std::int64_t current) {
    const auto value = evaluateField(text, static_cast<double>(current));
    if (!value) return value.errors();
    const double rounded = std::round(*value);
    if (*value < 0 || rounded > 1e15) return Error::usage(fmt::format("{:g} is out of range; must be 0 or more", *value));
    if (std::abs(*value - rounded) > 1e-9 * std::max(1.0, rounded))
        return Error::usage(
            fmt::format("{:g} is not a whole number; enter {:.0f} or {:.0f}", *value, std::floor(*value), std::ceil(*value)));
    return static_cast<std::int64_t>(rounded);
}

} // namespace railyard
