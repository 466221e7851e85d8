// Design -> Fabric: pure, deterministic, everything anew after every edit (65,536 GPUs in under 20 ms).
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

FabricPointer elaborate(DesignPointer design);

// The fabric without the marked devices and links (and the links of the devices). Masks may be empty: nothing marked.
FabricPointer without(const FabricPointer& fabric, const std::vector<bool>& devices, const std::vector<bool>& links);

// Elements to be removed: what a selector names, or a share of the links drawn with a seed.
struct Removal {
    std::vector<bool> devices, links;
};
Result<Removal> select(const Fabric& fabric, std::string_view selector);
// Marks round(fraction * network links), drawn without replacement; HB and PCIe links never.
void drawLinks(const Fabric& fabric, double fraction, std::uint64_t seed, Removal& into);

} // namespace railyard
