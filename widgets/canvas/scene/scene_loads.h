// Aggregates link loads to the bundles and servers that represent the links.
#pragma once

#include "widgets/canvas/scene/scene.h"

#include <vector>

namespace railyard {

// The largest value among the links of every bundle. Input is indexed by link of the fabric; negative means no value.
std::vector<double> largestOfBundles(const Scene& scene, const Fabric& fabric, const std::vector<double>& ofLink);
// The same for the HB links inside a server or an HB domain, indexed by node.
std::vector<double> largestInside(const Scene& scene, const Fabric& fabric, const std::vector<double>& ofLink);

} // namespace railyard
