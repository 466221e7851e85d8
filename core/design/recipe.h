// Recipes: published fabric architectures, as parameters -> plan (counts) -> blocks.
// The counting rules are described in docs/recipes.md and reproduce the published tables of NVIDIA SuperPODs.
#pragma once

#include "core/base/result.h"
#include "core/design/design.h"

#include <string>
#include <vector>

namespace railyard {

struct RecipeParameter {
    std::string_view key, type, unit, fallback, range, meaning;
};

enum class RecipeFamily { RailOptimized, RailOnly, FatTree };

struct RecipeInfo {
    std::string_view name;
    RecipeFamily family;
    std::string_view summary;
    std::vector<std::pair<std::string_view, std::string_view>> settings; // parameters set by a preset; each of them can be overridden
};

const std::vector<RecipeInfo>& recipes();
const RecipeInfo* findRecipe(std::string_view name);
const std::vector<RecipeParameter>& recipeParameters();

struct Ratio {
    int down = 1, up = 1;
};

// All parameters with their final values.
struct RecipeSettings {
    RecipeFamily family = RecipeFamily::RailOptimized;
    const Part *server = nullptr, *leafSwitch = nullptr, *spineSwitch = nullptr, *nic = nullptr;
    std::string gpu;
    int servers = 0, gpusPerServer = 0, nicsPerServer = 0, nicPorts = 1, hbDomainGpus = 0;
    Bandwidth linkSpeed, uplinkSpeed, hbBandwidth;
    bool idealHb = false; // the HB domain differs from that of the server part: one ideal HB switch
    int rails = 0, radix = 0, spineRadix = 0;
    bool autoRails = false; // rail-only without a stated count: the divisor that builds the fewest switches
    Bandwidth leafCapacity; // the sum of port speeds that a leaf carries, down and up
    int tiers = 0;          // 0 = auto
    int leafDown = 0, leafUp = 0;
    Ratio core;
    int suServers = 0, podServers = 0, managerPorts = 0, planes = 1;
    int spines = 0; // per network with two tiers, per pod with three; 0 = from spine_rule
    bool exactSpines = false, usedUplinks = false, railPods = false, cablePerCage = false;
    std::optional<FloorPlan> floor;
    struct Side {
        bool on = false;
        const Part* leafSwitch = nullptr;
        int ports = 0; // per server
        Bandwidth speed;
        Ratio ratio;
        int others = 0;
    };
    Side storage, inBand, outOfBand;

    int serversPerDomain() const { return hbDomainGpus / gpusPerServer; }
    int gpus() const { return servers * gpusPerServer; }
    // The NICs that rails divide: those of a server, or of an HB domain under rail-only.
    int nicsPerRailUnit() const { return nicsPerServer * (family == RecipeFamily::RailOnly ? serversPerDomain() : 1); }
};

// Counts above the leaves of one network.
struct UpperTiers {
    int spines = 0;        // two tiers: of the network; more tiers: of a pod
    int pods = 0;          // three or more tiers
    int superPerIndex = 0; // superspines per spine index (per block with four tiers)
    int blocks = 0, corePerIndex = 0;
    bool operator==(const UpperTiers&) const = default;
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
    int leaves = 0, spines = 0, superspines = 0, cores = 0; // totals
    std::int64_t hostLinks = 0, managerLinks = 0, leafSpineLinks = 0, spineSuperLinks = 0, superCoreLinks = 0;

    std::vector<int> railsOfPlane(int plane) const; // with NIC ports in the plane, from 0; a fat tree has only rail 0
    std::int64_t switches() const { return std::int64_t{leaves} + spines + superspines + cores; }
    std::int64_t links() const { return hostLinks + managerLinks + leafSpineLinks + spineSuperLinks + superCoreLinks; }
};

// Usage errors for unknown keys and malformed values; Unbuildable errors with the key, the limit and the nearest valid value.
Result<RecipeSettings> resolve(const RecipeCall& call, const Catalog& catalog);
Result<ClosPlan> plan(const RecipeSettings& settings);
// Rail counts that divide the NICs of an HB domain, ascending, without 1 unless it is the only one.
std::vector<int> railCounts(int nics);
// Of these, the one whose plan has the fewest switches and, among equals, the most rails; all NICs where none can be built.
int fewestSwitchRails(RecipeSettings settings);
// The auxiliary networks that the settings request.
// The recipe call of such a network for this number of hosts, with at least two tiers if a host has several ports, so that its
// ports are connected to different leaves.
RecipeCall callFor(const SideNetwork& side, int hosts, const Catalog& catalog);
std::vector<SideNetwork> sideNetworksOf(const RecipeSettings& settings, const ClosPlan& plan, const Catalog& catalog);
Result<Design> build(const RecipeCall& call, const std::string& name, CatalogPointer catalog);
// The same design with other parameters; hand-drawn content and overrides are kept.
Result<Design> rebuild(const Design& design, const RecipeCall& call);

} // namespace railyard
