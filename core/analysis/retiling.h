// What optical circuit switches are for: a fabric that is tiled rail-optimized for one job and rail-only for another.
#pragma once

#include "core/base/result.h"
#include "core/bill/bill.h"

#include <optional>

namespace railyard {

// The fabric of one kind, without optical circuit switches; the other kind is the cheapest with the same GPUs (twinOf).
struct Tiling {
    std::int64_t switches = 0;
    Money network; // lines with a price
    int unpricedLines = 0;
    std::optional<Watts> power; // of the network
};
struct Retiling {
    std::int64_t opticalSwitches = 0, freePorts = 0; // free ports of a side: for spares
    std::optional<Money> price;                      // of one; empty: a price book has none
    std::optional<Watts> power;                      // of all
    std::optional<Seconds> switching;                // until the mirrors have turned
    Tiling railOptimized, railOnly;

    // The switches above the leaves that a rail-only job leaves dark, in power; below 0: the optical switches draw more.
    std::optional<Watts> powerSaved() const;
    // An optical switch that costs less than this pays for itself where a rail-only fabric does. Empty: no switches.
    std::optional<Money> breakEven() const;
};
// Errors: no optical circuit switches, a hand-drawn design.
Result<Retiling> retilingOf(const Design& design);

} // namespace railyard
