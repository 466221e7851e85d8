// Lower bounds of the bisection bandwidth by routing arguments have this form.
#pragma once

#include <limits>
#include <string>

namespace railyard {

constexpr double impossible = std::numeric_limits<double>::infinity(); // cost of what cannot be done

struct LowerBound {
    double value = 0; // bit/s
    std::string method;
};

} // namespace railyard
