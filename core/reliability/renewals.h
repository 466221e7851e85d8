// The failures of a part that is new at the start and replaced by a new one whenever it fails.
#pragma once

#include "core/reliability/reliability.h"

namespace railyard {

struct PartFailures {
    double expected = 0; // in the time asked for
    double hazard = 0;   // exp(-hazard) is the probability that it does not fail at all
};
// `perYear`: 1 / the mean of the lifetimes. With exponential lifetimes both are perYear · years. Others: the renewal equation
// m(t) = F(t) + ∫ m(t - x) dF(x), by the midpoints of Xie, Comm. Statist. Simulation 18 (1989).
PartFailures failuresOf(const Lifetimes& lifetimes, double perYear, double years);

} // namespace railyard
