// Numbers as entered in a field: "128", "96 + 32", "*1.1" (relative to the current value), "+4", "110%", "2 ft".
#pragma once

#include "core/base/result.h"

#include <string_view>

namespace railyard {

enum class FieldUnit { Count, Length };

// `current` is the value of the field: an expression that starts with an operator changes it. Lengths accept mm, cm, m, km,
// in and ft. The error states what is not valid.
Result<double> evaluateField(std::string_view text, double current, FieldUnit unit = FieldUnit::Count);

// The same for counts, which must be whole numbers of 0 or more.
Result<std::int64_t> evaluateCount(std::string_view text, std::int64_t current);

} // namespace railyard
