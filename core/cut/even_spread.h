// How an intact fabric spreads traffic evenly, and what of each link failed since: what bounds after failures start from.
#pragma once

#include "core/cut/balanced_cut.h"

#include <optional>

namespace railyard {

// Nodes are those of the intact graph. Every endpoint sends at full speed, up through all tiers in fixed shares, all of a
// network in the same proportions over its top switches; no link carries more than its capacity. In a group where all
// pairs are alike the shares are, too: its switches are counted instead of its links.
struct EvenSpread {
    struct Up {
        std::uint32_t lower, upper;
        double share, lost; // of the flow of the lower switch; fraction of the capacity that failed
    };
    // The links that rise from the switches of one tier.
    struct Tier {
        std::vector<std::uint32_t> even; // groups of the graph
        std::vector<Up> others;          // links of groups that are not
        std::vector<Up> hurt;            // of both: what lost something
    };
    const Question &now, &intact;
    const SwitchGraph& graph;           // of the intact fabric
    std::vector<std::uint32_t> nodeNow; // intact node of every node that is left
    std::vector<Tier> tiers;            // from the lowest up
    std::vector<bool> isTop;
    std::vector<double> fromEnds, fromEndsNow; // bit/s that endpoints send into a node, before and now
    std::vector<double> full;                  // bit/s through a node before
    std::vector<double> injection;             // bit/s of every network before

    // Flow of the switches of a tier, passed on upwards by the shares; and back down.
    void sendUp(const Tier& tier, std::vector<double>& flow) const;
    void sendDown(const Tier& tier, std::vector<double>& value) const;
    // The same through all tiers.
    std::vector<double> sentUp(std::vector<double> flow) const;
    // A value of the top switches, as their average seen from below.
    std::vector<double> seenFromBelow(std::vector<double> value) const;
    std::vector<Up> everyLink() const; // from the lowest tier up
};

// Nothing where the intact fabric does not spread that way, or the endpoints are no longer the same. `nodeNow`: the node
// of the intact graph for every node of the present one, in rising order.
std::optional<EvenSpread> evenSpreadOf(const Question& now, const Question& intact, std::vector<std::uint32_t> nodeNow);
std::vector<std::uint32_t> nodesBefore(const Question& now, const Question& intact); // after failures in `intact`

// Every group joins one tier, from leaves on, to one above it.
bool isInTiers(const SwitchGraph& graph);

// The even fabric inside an uneven one: every pair of a group keeps what its thinnest pair has. What it certifies, the
// whole can only exceed. Nothing where some pair has no link at all.
std::optional<Question> evenPart(const Question& q);
// The even fabric around an uneven one: every pair of a group has what most pairs have. What it certifies, less the
// capacity that is missing from it, holds for q; what q has beyond it can only help. Nothing where nothing or much
// is missing.
struct EvenWhole {
    Question question;  // its edges are not spelled out: its groups say it all
    double missing = 0; // bit/s
};
std::optional<EvenWhole> evenWhole(const Question& q);

// Over all halves of these values: the most that one half has above the other.
double largerHalfLessSmaller(std::vector<double> values);

} // namespace railyard
