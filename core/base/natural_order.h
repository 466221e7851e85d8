// leaf[2] before leaf[10].
#pragma once

#include <string_view>

namespace railyard {

bool naturallyLess(std::string_view left, std::string_view right);

} // namespace railyard
