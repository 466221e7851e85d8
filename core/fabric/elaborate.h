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

// What fails together: all that the selectors name, and a share of the network links.
struct Failures {
    std::vector<std::string> selectors;
    double linkShare = 0;
    std::uint64_t seed = 1; // of the draw
    bool isEmpty() const { return selectors.empty() && linkShare <= 0; }
    bool operator==(const Failures&) const = default;
};
// The error of the first selector that names nothing.
Result<Removal> removalOf(const Fabric& fabric, const Failures& failures);
// The same without those that name nothing.
Removal removalOfKnown(const Fabric& fabric, const Failures& failures);

} // namespace railyard
