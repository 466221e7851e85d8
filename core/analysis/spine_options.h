// The spine counts with which every leaf splits its uplinks evenly, and what each of them would mean: the rows beside the pointer while a
// spine is dragged.
#pragma once

#include "core/base/quantity.h"
#include "core/design/model/design.h"

#include "core/bill/unpriced.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace railyard {

struct SpineOption {
    int spines = 0;              // per pod; with two tiers, of the network
    int linksPerPair = 0;        // from each leaf to each spine
    double oversubscription = 0; // of the leaves: total link speed down / up
    int freePorts = 0;           // of the leaf with the fewest
    Money networkCost;           // as in the metrics: list prices of the compute network
    bool isCostComplete = true;  // false: a lower bound, because a part has no price
    bool isNow = false;
    std::int64_t switches = 0; // of all tiers
    PartKinds leftOut = {};    // of the network cost: kinds of parts without a price

    std::optional<Money> costAbove(const SpineOption& other) const; // empty where the costs leave out different kinds
};
// What one more spine, drawn by hand and unconnected, adds to the design.
struct LoneSpine {
    std::optional<Money> networkCost; // empty where the network then leaves out other kinds of parts without a price
    bool isCostComplete = true;
};
std::optional<LoneSpine> loneSpine(const DesignPointer& design);

// In ascending order, at most `most` of them around the present count. Empty without a recipe, or with one tier. Every row is built and
// measured, exactly as the edit that sets its count.
std::vector<SpineOption> spineOptions(const DesignPointer& design, std::size_t most = 6);

} // namespace railyard
