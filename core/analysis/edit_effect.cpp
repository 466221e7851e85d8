#include "core/analysis/edit_effect.h"

#include "core/analysis/cable_edits.h"
#include "core/bill/unpriced.h"
#include "core/design/edits/edit.h"
#include "core/fabric/elaborate.h"

#include <algorithm>

namespace railyard {

namespace {

constexpr std::size_t mostLinks = 400'000;

}

EditEffect effectOf(const DesignPointer& tried) {
    const FabricPointer fabric = elaborate(tried);
    EditEffect effect{instantMetrics(*fabric), fabric, {}};
    if (fabric->links.size() <= mostLinks) effect.bisections = bisections(*fabric);
    return effect;
}

std::int64_t gpusOnFabric(const Fabric& fabric) {
    const LinkTable& links = fabric.links;
    std::vector<bool> isCabled(fabric.devices.size()), isOn(fabric.devices.size());
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::HostLeaf) isCabled[links.a[l]] = true;
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Pcie && isCabled[links.b[l]]) isOn[links.a[l]] = true;
    return std::count(isOn.begin(), isOn.end(), true);
}

std::optional<RemovalCost> costOfRemoving(const Fabric& before, const InstantMetrics& now, std::int64_t gpusBefore,
                                          const std::vector<std::string>& paths) {
    const auto less = removeAll(before, paths);
    if (!less) return {};
    const FabricPointer fabric = elaborate(less->design);
    const InstantMetrics after = instantMetrics(*fabric);
    RemovalCost cost;
    cost.change = differenceOf(now.bill, after.bill, &Bill::total);
    cost.isComplete = !isLowerBound(now.bill, &Bill::total);
    cost.switches = now.counts.switches - after.counts.switches;
    cost.servers = now.counts.servers - after.counts.servers;
    cost.cables = now.cables.cables - after.cables.cables;
    cost.modules = now.cables.pluggables.value_or(0) - after.cables.pluggables.value_or(0);
    const std::int64_t gpus = gpusOnFabric(*fabric);
    cost.gpusCutOff = std::max<std::int64_t>(0, gpusBefore - (now.counts.gpus - after.counts.gpus) - gpus);
    if (fabric->links.size() <= mostLinks) cost.bisectionGbps = bisection(*fabric, BisectionKey::GpuNetworkOnly).upperGbps;
    return cost;
}

} // namespace railyard
