// One balanced partition of a bisection question, and the cheapest cut that separates its sides.
#pragma once

#include "core/cut/bisection.h"

#include <optional>

namespace railyard {

struct Question {
    const Fabric& fabric;
    BisectionKey key;
    SwitchGraph graph;
    Endpoints ends;
};
Question ask(const Fabric& fabric, BisectionKey key);

struct Cut {
    double value = 0;
    std::vector<bool> sourceSide;    // of the flow network's nodes
    std::vector<std::uint32_t> node; // of GPUs and HB switches of divided domains; none elsewhere
    bool isOnA(std::uint32_t switchNode) const { return sourceSide[switchNode + 2]; }
};
Cut cutOf(const Question& q, const std::vector<bool>& sideA);
// The cheapest of the cuts that run just above a tier (or above the endpoints), each switch up to it on the side of most of
// what hangs below, the others on side B: in a regular fabric the cheapest of all, found without a flow. Nothing where the
// partition divides HB domains.
std::optional<Cut> cheapestBetweenTiers(const Question& q, const std::vector<bool>& sideA);
// By tier: the links that the cut runs through, and their capacity.
void describeCut(const Question& q, const std::vector<bool>& sideA, const Cut& cut, Bisection& result);

} // namespace railyard
