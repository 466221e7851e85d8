#include "core/base/error.h"

#include "core/base/counted.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace railyard {

Error Error::parameter(Kind kind, std::string code, std::string field, std::string value, std::string wrong,
                       std::vector<std::string> nearest, std::string instead) {
    Error error{kind, {}, {}};
    error.code = std::move(code);
    error.field = std::move(field);
    error.value = std::move(value);
    error.wrong = std::move(wrong);
    error.nearest = std::move(nearest);
    error.instead = std::move(instead);
    error.text = error.parameterText(error.field);
    return error;
}

std::string Error::parameterText(const std::string& name) const {
    const std::string fault = value.empty() ? fmt::format("{}: {}", name, wrong) : fmt::format("{} = {}: {}", name, value, wrong);
    if (nearest.empty()) return fault;
    return fmt::format("{}; nearest value{}: {}{}", fault, nearest.size() > 1 ? "s that work" : " that works", fmt::join(nearest, " and "),
                       instead.empty() ? "" : ", or " + instead);
}

std::vector<Error> shortened(std::vector<Error> errors) {
    if (errors.size() <= mostErrors + 1) return errors;
    const auto others = static_cast<std::int64_t>(errors.size() - mostErrors);
    errors.resize(mostErrors);
    errors.push_back({errors.front().kind, counted(others, "and {} more error", "and {} more errors"), {errors.front().where.file}});
    return errors;
}

std::string toText(const Error& error) {
    if (error.where.file.empty()) return error.text;
    if (error.where.line == 0) return fmt::format("{}: {}", error.where.file, error.text);
    return fmt::format("{}:{}:{}: {}", error.where.file, error.where.line, error.where.column, error.text);
}

} // namespace railyard
