// All networks of a design together: compute, storage, in-band and out-of-band.
#pragma once

#include "core/analysis/metrics/metrics.h"
#include "core/bill/unpriced.h"

namespace railyard {

// Without servers, NICs, racks and labour.
struct NetworksTotal {
    Money cost;
    bool isComplete = true; // false: parts without a price are left out
    PartKinds leftOut;      // these; totals that leave out different kinds cannot be compared
    // Name of the first unpriced switch, and of the first unpriced transceiver or cable with fixed ends. Each can be half of the cost;
    // fibre rarely has a price and costs little.
    std::string unpricedSwitch, unpricedModule;
    bool areDevicesPriced() const { return unpricedSwitch.empty() && unpricedModule.empty(); }
    std::optional<Watts> power; // empty if the power of a part is unknown
    std::int64_t switches = 0;
};
NetworksTotal networksTotal(const InstantMetrics& metrics);
bool isOfNetworks(BillCategory category);
PartKinds networksLeftOut(const Bill& bill);

} // namespace railyard
