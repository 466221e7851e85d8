// The checkpoint interval, and the effective training time ratio (ETTR) that follows.
// Young 1974, doi:10.1145/361147.361115: interval √(2wM); Daly 2006, doi:10.1016/j.future.2004.11.016: first order √(2wM) − w.
// ETTR: Meta, arXiv 2410.21680: (1 − (u0 + Δ/2)/M) / (1 + w/Δ), not below 0.
#pragma once

#include "core/base/quantity.h"

namespace railyard {

struct CheckpointTimes {
    Seconds write{60}, restart{300}; // w and u0
    Seconds interval{0};             // Δ; 0: Young's
};

struct CheckpointPlan {
    Seconds young, daly, interval;
    double ettr = 0; // effective training time ratio: useful time / time
};

// M: mean time between interruptions, above 0.
CheckpointPlan checkpointPlan(const CheckpointTimes& times, Seconds meanTime);

} // namespace railyard
