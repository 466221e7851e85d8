// Candidates of the shipped catalogue, and the figures by which tests compare them.
#pragma once

#include "core/analysis/sizing/requirements.h"
#include "tests/support/designs.h"

namespace railyard::test {

inline Ranking rankingOf(const Requirements& asked) {
    const auto ranking = candidatesFor(asked, shippedCatalog(), {});
    if (!ranking) throw std::runtime_error(ranking.error().text);
    return *ranking;
}

inline double costOf(const RankedCandidate& each) { return networksTotal(*each.found.instant).cost.inDollars(); }
inline double bisectionOf(const RankedCandidate& each) { return each.found.background->bisection.front().fractionOfInjection.value_or(0); }

} // namespace railyard::test
