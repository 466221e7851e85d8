// What failures do to the GPUs that have not failed themselves: the blast radius.
#pragma once

#include "core/failure/removal.h"

namespace railyard {

enum class Impact : std::uint8_t { None, Degraded, CutOff, Failed };

struct Impacts {
    By<DeviceId, Impact> ofDevices; // of the intact fabric; devices other than GPUs: None or Failed. Empty if nothing has failed
    std::int64_t degraded = 0, cutOff = 0, failed = 0; // GPUs
};

// Cut off: the HB domain has no way out any more. Degraded: a NIC or HB link of the GPU is gone, or a switch on its way up can carry a
// smaller share of what comes from below than before, so that its worst-case bandwidth falls.
Impacts impactOf(const Fabric& intact, const Removal& removal);

} // namespace railyard
