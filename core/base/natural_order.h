// Natural order: leaf[2] sorts before leaf[10].
#pragma once

#include <string_view>

namespace railyard {

bool naturallyLess(std::string_view left, std::string_view right);

struct NaturalLess {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const { return naturallyLess(a, b); }
};

} // namespace railyard
