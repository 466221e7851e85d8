// The effect of an edit that is being previewed, computed fast enough to follow the pointer.
#pragma once

#include "core/analysis/metrics/metrics.h"

#include <array>

namespace railyard {

struct EditEffect {
    InstantMetrics metrics;
    FabricPointer fabric;                               // what the edit would build
    std::optional<std::array<Bisection, 3>> bisections; // by BisectionKey; empty if they would take too long during a preview
};
EditEffect effectOf(const DesignPointer& tried);
// What goes if these elements and cables are removed, and what that breaks; empty if they cannot be removed.
struct RemovalCost {
    std::optional<Money> change; // of the bill's total, in general below 0; empty where the totals leave out different kinds of parts
    bool isComplete = true;      // false: the change excludes parts without a price
    std::int64_t switches = 0, servers = 0, cables = 0, modules = 0;
    std::int64_t gpusCutOff = 0;         // GPUs that stay, but lose their last NIC on the fabric
    std::optional<double> bisectionGbps; // afterwards, key gpu_network_only; empty for very large designs
};
std::int64_t gpusOnFabric(const Fabric& fabric); // GPUs with a NIC that is cabled to a switch
// `now` and `gpusBefore` are of the design as it is.
std::optional<RemovalCost> costOfRemoving(const Fabric& fabric, const InstantMetrics& now, std::int64_t gpusBefore,
                                          const std::vector<std::string>& paths);

} // namespace railyard
