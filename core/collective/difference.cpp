#include "core/collective/difference.h"

#include <algorithm>

namespace railyard {

std::optional<TimeDifference> timeDifference(const CollectiveGroup& a, const CollectiveGroup& b, CollectiveOp op, Bytes size) {
    if (a.links().library != b.links().library) return {};
    const auto at = [&](const Estimate& estimate) -> std::optional<double> {
        const auto ofA = a.timeAt(op, size, estimate), ofB = b.timeAt(op, size, estimate);
        if (!ofA || !ofB || ofA->value() <= 0) return {};
        return *ofB / *ofA - 1;
    };
    const auto likely = at({});
    if (!likely) return {};
    TimeDifference difference{*likely, *likely, *likely};
    for (const Turn hb : {Turn::Well, Turn::Badly})
        for (const Turn network : {Turn::Well, Turn::Badly})
            for (const Turn latency : {Turn::Well, Turn::Badly})
                if (const auto value = at({hb, network, latency})) {
                    difference.low = std::min(difference.low, *value);
                    difference.high = std::max(difference.high, *value);
                }
    return difference;
}

} // namespace railyard
