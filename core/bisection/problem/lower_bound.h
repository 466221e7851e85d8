// Lower bounds of the bisection bandwidth by routing arguments have this form.
#pragma once

#include "core/base/quantity.h"

#include <limits>
#include <string>

namespace railyard {

constexpr double impossible = std::numeric_limits<double>::infinity(); // cost of what cannot be done

struct LowerBound {
    Bandwidth value;
    std::string method;
};

} // namespace railyard
