// Which share of the links of every bundle has failed.
#pragma once

#include "core/failure/removal.h"
#include "widgets/canvas/scene/scene.h"

#include <vector>

namespace railyard {

struct FailedShare {
    std::int64_t failed = 0, all = 0; // links
    bool isWhole() const { return failed > 0 && failed == all; }
};

// Indexed by bundle; those that represent no links have none. One pass over the links of the fabric.
std::vector<FailedShare> failedOfBundles(const Scene& scene, const Fabric& fabric, const Removal& removal);

} // namespace railyard
