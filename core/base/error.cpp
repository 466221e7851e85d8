#include "core/base/error.h"

#include <fmt/format.h>

namespace railyard {

std::string toText(const Error& error) {
    if (error.where.file.empty()) return error.text;
    if (error.where.line == 0) return fmt::format("{}: {}", error.where.file, error.text);
    return fmt::format("{}:{}:{}: {}", error.where.file, error.where.line, error.where.column, error.text);
}

} // namespace railyard
