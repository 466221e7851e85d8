#include "core/bisection/bounds/degraded/sides_bound.h"

#include "core/bisection/bounds/degraded/leaf_sides.h"
#include "core/bisection/bounds/degraded/top_sides.h"

#include <algorithm>
#include <limits>

namespace railyard {

LowerBound sidesBound(const RegularSpread& spread) {
    const std::string method = "failures for the worst sides of the top switches";
    const Bandwidth ofLeaves = leafSidesBound(spread);
    TopSides sides(spread);
    if (!sides.apply()) return {ofLeaves, method};
    // From a number of tops on B on the one bound takes over from the other, where that is best. Numbers are taken in steps that grow.
    const std::size_t half = sides.tops() / 2;
    Bandwidth best = ofLeaves, few(std::numeric_limits<double>::infinity()), price;
    for (std::size_t first = 0, last = 0; first <= half; first = last + 1, last = std::min(half, std::max(first, last * 9 / 8))) {
        if (first > 0) best = std::max(best, std::min(few, sides.leastWithMany(first)));
        few = std::min(few, sides.leastWithFew(first, last, few, price));
        if (few <= best) break;
    }
    return {std::max(best, few), method};
}

} // namespace railyard
