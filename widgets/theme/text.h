// Text of the core, which is UTF-8, as Qt holds it.
#pragma once

#include "core/base/unit_text.h"

#include <QString>
#include <string_view>

namespace railyard {

inline QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

// "1 cable", "1,024 cables": `one` and `many` with %1 for the count.
inline QString counted(std::int64_t count, const QString& one, const QString& many) {
    return (count == 1 ? one : many).arg(text(formatCount(count)));
}

} // namespace railyard
