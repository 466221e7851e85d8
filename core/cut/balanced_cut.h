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
// The cut that runs just above a tier (None: just above the endpoints), each switch up to it on the side of most of what
// hangs below: in a regular fabric the cheapest one, found without a flow. Nothing where the partition divides HB domains.
std::optional<Cut> cutAbove(const Question& q, const std::vector<bool>& sideA, SwitchTier tier);
// By tier: the links that the cut runs through, and their capacity.
void describeCut(const Question& q, const std::vector<bool>& sideA, const Cut& cut, Bisection& result);

} // namespace railyard
