// The values of an axis as people write them.
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace railyard {

// "512, 1024" lists, "512..4096" doubles, "8..72+8" adds. Errors: no values, ranges that do not end, more than a thousand, one twice, and
// numbers such as 16,384 that may be one or two.
Result<std::vector<std::string>> axisValues(const std::string& text);

} // namespace railyard
