// What optical circuit switches are for: a fabric that is tiled rail-optimized for one job and rail-only for another.
#pragma once

#include "core/bill/bill.h"

#include <optional>

namespace railyard {

// The fabric of one kind, without optical circuit switches; the other kind is the cheapest with the same GPUs (twinOf).
struct Tiling {
    std::int64_t switches = 0;
    Bill bill;
    int unpricedLines() const; // of the network
};
struct Retiling {
    std::int64_t opticalSwitches = 0, freePorts = 0; // free ports of a side: for spares
    std::optional<Money> price;                      // of one; empty: a price book has none
    std::optional<Watts> power;                      // of all
    std::optional<Seconds> switching;                // until the mirrors have turned
    std::optional<Tiling> railOptimized, railOnly;   // empty: a hand-drawn design has no twin

    // What the network of a rail-only fabric draws less, without the optical switches; below 0: they draw more.
    std::optional<Watts> powerSaved() const;
    // An optical switch that costs less than this pays for itself where a rail-only fabric does. Empty: the prices of the two leave out
    // different kinds of parts.
    std::optional<Money> breakEven() const;
};
// Empty: the design has no optical circuit switches.
std::optional<Retiling> retilingOf(const Design& design);

} // namespace railyard
