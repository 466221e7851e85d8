// The failures of a part that is new at the start and replaced by a new one whenever it fails.
#pragma once

#include "core/reliability/reliability.h"

namespace railyard {

struct PartFailures {
    double expected = 0; // in the time asked for
    double hazard = 0;   // exp(-hazard) is the probability that it does not fail at all
};
// `perYear`: 1 / the mean of the lifetimes. With exponential lifetimes both are perYear · years. Others: the renewal equation
// m(t) = F(t) + ∫ m(t - x) dF(x), by the midpoints of Xie, Comm. Statist. Simulation 18 (1989). Where lifetimes are so unequal that many
// end within a step, by its Laplace transform f / (s (1 - f)), inverted after Stehfest, Comm. ACM 13 (1970).
PartFailures failuresOf(const Lifetimes& lifetimes, double perYear, double years);

// Of one part within the horizon of a request, whose lemons are a share of the servers.
class FailuresInHorizon {
public:
    FailuresInHorizon(const ReliabilityRequest& request, std::size_t servers); // of the job. The request must outlive this
    PartFailures of(PartKind kind, double perYear) const;
    // With the rate at which it fails within the horizon.
    YearlyRate mean(PartKind kind, YearlyRate rate) const;

private:
    const ReliabilityRequest& m_request;
    const double m_years, m_lemonShare;
};

} // namespace railyard
