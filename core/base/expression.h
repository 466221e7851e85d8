// Numbers as people type them into a field: "128", "96 + 32", "*1.1" of what is there, "+4", "110%", "2 ft".
#pragma once

#include "core/base/result.h"

#include <string_view>

namespace railyard {

enum class FieldUnit { Count, Length };

// `current` is what the field holds: an expression that begins with an operator changes it. Lengths may carry mm, cm, m, km,
// in or ft. The error says what cannot be understood, and where.
Result<double> evaluateField(std::string_view text, double current, FieldUnit unit = FieldUnit::Count);

// The same for counts: whole and not negative.
Result<std::int64_t> evaluateCount(std::string_view text, std::int64_t current);

} // namespace railyard
