// Which elements fail: those that selectors match, and a random share of the links.
#pragma once

#include "core/base/result.h"
#include "core/fabric/fabric.h"

#include <string>
#include <vector>

namespace railyard {

// The elements to remove: the matches of a selector, or a random share of the links.
struct Removal {
    std::vector<bool> devices, links; // empty: none
    bool hasFailed(DeviceId device) const { return !devices.empty() && devices[device]; }
    // A link fails with either of its ends.
    bool hasFailed(const Fabric& fabric, LinkId link) const {
        return (!links.empty() && links[link]) || hasFailed(fabric.links.a[link]) || hasFailed(fabric.links.b[link]);
    }
};
Result<Removal> select(const Fabric& fabric, std::string_view selector);
// The paths of the elements that a selector names, in the order of the fabric: blocks and devices, without what stands inside them.
Result<std::vector<std::string>> elementsAt(const Fabric& fabric, std::string_view selector);
// Marks round(fraction * network links), chosen at random without replacement; never HB or PCIe links.
void drawLinks(const Fabric& fabric, double fraction, std::uint64_t seed, Removal& into);

// Concurrent failures: the matches of all selectors, and a share of the network links.
struct Failures {
    std::vector<std::string> selectors;
    double linkShare = 0;
    std::uint64_t seed = 1; // for the random choice of links
    bool isEmpty() const { return selectors.empty() && linkShare <= 0; }
    bool operator==(const Failures&) const = default;
};
// Returns the error of the first selector that matches nothing.
Result<Removal> removalOf(const Fabric& fabric, const Failures& failures);
// The same, ignoring selectors that match nothing.
Removal removalOfKnown(const Fabric& fabric, const Failures& failures);

} // namespace railyard
