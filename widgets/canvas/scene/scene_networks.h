// The storage, in-band and out-of-band networks: a bar each below the SU cards, beside the compute fabric.
#pragma once

#include "core/analysis/metrics/metrics.h"
#include "widgets/canvas/scene/scene.h"

namespace railyard {

// Adds them to the scene of the same design. In the elided style they are left out.
void addNetworks(Scene& scene, const std::vector<NetworkFigures>& networks);

} // namespace railyard
