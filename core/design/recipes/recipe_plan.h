// The number of switches and links that a recipe builds.
#pragma once

#include "core/design/recipes/recipe_settings.h"

#include <vector>

namespace railyard {

// Counts above the leaves of one network.
struct UpperTiers {
    int spines = 0;        // two tiers: of the network; more tiers: of a pod
    int pods = 0;          // three or more tiers
    int superPerIndex = 0; // superspines per spine index (per block with four tiers)
    int blocks = 0, corePerIndex = 0;
    bool operator==(const UpperTiers&) const = default;
};

// Uplinks of the switches of one tier, in a network whose uplinks are those in use.
struct UsedTier {
    std::int64_t all = 0;
    std::int64_t ofAnIndex = 0; // of the switches with the same index in their pods, the most
    int most = 0;               // of one switch
};
struct UsedAbove {
    UsedTier spines, superspines;
};

// The number of switches and links. A network is a connected Clos: all rails of a plane, or one rail of it under rail-only.
struct ClosPlan {
    int planes = 1, networks = 1, tiers = 1; // networks: of all planes
    // NIC ports of a server (rail-only: of an HB domain) in rail r of plane q, at [q * rails + r]; a fat tree has one entry per
    // plane.
    std::vector<int> unitPorts;
    int scalableUnits = 1, suServers = 0;
    int leavesPerSu = 1;      // of all planes and networks
    int leavesPerNetwork = 1; // this and the counts below are those of the largest network
    int leafDown = 0, leafUp = 0;
    int podsPerNetwork = 0, leavesPerPod = 0; // three or more tiers
    int spinesPerPod = 0;                     // two tiers: spines of the network
    int spineUp = 0, superPerIndex = 0;       // uplinks of a spine; superspines per spine index (per block with four tiers)
    int blocksPerNetwork = 0, podsPerBlock = 0, superUp = 0, corePerIndex = 0;
    std::vector<UpperTiers> upperTiers;                     // of each plane; rail-only: of each network, all equal
    std::vector<UsedAbove> used;                            // of each network, with `uplinks=used` in three or more tiers
    int leaves = 0, spines = 0, superspines = 0, cores = 0; // totals
    std::int64_t hostLinks = 0, managerLinks = 0, leafSpineLinks = 0, spineSuperLinks = 0, superCoreLinks = 0;

    std::vector<int> railsOfPlane(int plane) const; // with NIC ports in the plane, from 0; a fat tree has only rail 0
    int railsInPlane(int plane) const;              // how many these are
    std::int64_t switches() const { return std::int64_t{leaves} + spines + superspines + cores; }
    std::int64_t links() const { return hostLinks + managerLinks + leafSpineLinks + spineSuperLinks + superCoreLinks; }
};

// Leaves that are alike, of one network.
struct LeafUse {
    int hosts = 0, managers = 0; // down-ports in use
    int leaves = 1;
};
struct NetworkUse {
    std::vector<LeafUse> leaves;
    std::size_t ofFull = 0; // of these, the first stand in the full SUs, as many in each, the others in the last SU
    int copies = 1;         // networks that are built alike
};
// What does not depend on uplinks: SUs, leaves and the number of tiers.
struct LeafPlan {
    ClosPlan plan; // without what is above the leaves
    std::vector<NetworkUse> networks;
};

Result<LeafPlan> planLeaves(const RecipeSettings& settings);
// `leaves`: of settings that differ in `leafUp`, `leafRatio` and the rules for uplinks and spines at most.
Result<ClosPlan> plan(const RecipeSettings& settings, const LeafPlan& leaves);
Result<ClosPlan> plan(const RecipeSettings& settings);
// Rail counts that divide the NICs of an HB domain, ascending, without 1 unless it is the only one.
std::vector<int> railCounts(int nics);
// Of these, the one whose plan has the fewest switches and, among equals, the most rails; all NICs where none can be built.
int fewestSwitchRails(RecipeSettings settings);

} // namespace railyard
