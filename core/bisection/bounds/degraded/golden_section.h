// The least value of a convex function, by golden section: every step needs one more value.
#pragma once

#include <utility>

namespace railyard {

// Where it is and what it is, after so many steps.
template <class Place, class Function>
auto leastBetween(Place from, Place to, int steps, const Function& function) {
    constexpr double section = 0.6180339887498949;
    Place a = to - section * (to - from), b = from + section * (to - from);
    auto atA = function(a), atB = function(b);
    for (int step = 0; step < steps; ++step) {
        if (atA < atB) {
            to = b, b = a, atB = atA;
            atA = function(a = to - section * (to - from));
        } else {
            from = a, a = b, atA = atB;
            atB = function(b = from + section * (to - from));
        }
    }
    return atA < atB ? std::pair(a, atA) : std::pair(b, atB);
}

} // namespace railyard
