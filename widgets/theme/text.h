// Text of the core, which is UTF-8, as Qt holds it.
#pragma once

#include <QString>
#include <string_view>

namespace railyard {

inline QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

} // namespace railyard
