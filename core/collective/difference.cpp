#include "core/collective/difference.h"

#include <algorithm>

namespace railyard {

std::optional<TimeDifference> timeDifference(const Communicator& a, const Communicator& b, CollectiveOp op, Bytes size) {
    if (a.links().library != b.links().library) return {};
    const auto at = [&](const Estimate& estimate) -> std::optional<double> {
        const auto ofA = a.timeAt(op, size, estimate), ofB = b.timeAt(op, size, estimate);
        if (!ofA || !ofB || ofA->value() <= 0) return {};
        return *ofB / *ofA - 1;
    };
    const auto likely = at({});
    if (!likely) return {};
    TimeDifference difference{*likely, *likely, *likely};
    for (const Scenario hb : {Scenario::Best, Scenario::Worst})
        for (const Scenario network : {Scenario::Best, Scenario::Worst})
            for (const Scenario latency : {Scenario::Best, Scenario::Worst})
                if (const auto value = at({hb, network, latency})) {
                    difference.low = std::min(difference.low, *value);
                    difference.high = std::max(difference.high, *value);
                }
    return difference;
}

} // namespace railyard
