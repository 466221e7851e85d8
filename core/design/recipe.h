// Recipes: published ways to build a fabric, as parameters -> plan (how many of what) -> blocks.
// Counting rules: docs/recipes.md; they reproduce the published tables of NVIDIA's SuperPODs.
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
    std::vector<std::pair<std::string_view, std::string_view>> settings; // what a preset fixes; the caller may override each
};

const std::vector<RecipeInfo>& recipes();
const RecipeInfo* findRecipe(std::string_view name);
const std::vector<RecipeParameter>& recipeParameters();

struct Ratio {
    int down = 1, up = 1;
};

// Every parameter with its final value.
struct RecipeSettings {
    RecipeFamily family = RecipeFamily::RailOptimized;
    const Part *server = nullptr, *leafSwitch = nullptr, *spineSwitch = nullptr, *nic = nullptr;
    std::string gpu;
    int servers = 0, gpusPerServer = 0, nicsPerServer = 0, nicPorts = 1, hbDomainGpus = 0;
    Bandwidth linkSpeed, uplinkSpeed, hbBandwidth;
    bool idealHb = false; // the HB domain differs from the server part's: one ideal HB switch
    int rails = 0, radix = 0, spineRadix = 0;
    int tiers = 0; // 0 = auto
    int leafDown = 0, leafUp = 0;
    Ratio core;
    int suServers = 0, podServers = 0, managerPorts = 0, planes = 1;
    int spines = 0; // of a network in two tiers, of a pod in three; 0 = by the rule
    bool exactSpines = false, usedUplinks = false, railPods = false, cablePerCage = false;
    std::optional<FloorPlan> floor;
    struct Side {
        bool on = false;
        const Part* leafSwitch = nullptr;
        int ports = 0; // of each server
        Bandwidth speed;
        Ratio ratio;
        int others = 0;
    };
    Side storage, inBand, outOfBand;

    int serversPerDomain() const { return hbDomainGpus / gpusPerServer; }
    int gpus() const { return servers * gpusPerServer; }
};

// How many of what. A network is one connected Clos: all rails of a plane, or one rail of it under rail-only.
struct ClosPlan {
    int planes = 1, networks = 1, tiers = 1; // networks: of all planes
    // NIC ports that a server (rail-only: an HB domain) brings to rail r of plane q, at [q * rails + r]; a fat tree has
    // one entry a plane.
    std::vector<int> unitPorts;
    int scalableUnits = 1, suServers = 0;
    int leavesPerSu = 1; // of all planes and networks together
    int leavesPerNetwork = 1;
    int leafDown = 0, leafUp = 0;
    int podsPerNetwork = 0, leavesPerPod = 0; // three tiers and up
    int spinesPerPod = 0;                     // two tiers: spines of the network
    int spineUp = 0, superPerIndex = 0;       // uplinks of a spine; superspines for each spine index (of each block in four tiers)
    int blocksPerNetwork = 0, podsPerBlock = 0, superUp = 0, corePerIndex = 0;
    int leaves = 0, spines = 0, superspines = 0, cores = 0; // totals
    std::int64_t hostLinks = 0, managerLinks = 0, leafSpineLinks = 0, spineSuperLinks = 0, superCoreLinks = 0;

    std::int64_t switches() const { return std::int64_t{leaves} + spines + superspines + cores; }
    std::int64_t links() const { return hostLinks + managerLinks + leafSpineLinks + spineSuperLinks + superCoreLinks; }
};

// Usage errors for unknown keys and malformed values; Unbuildable names the key, the limit and what works.
Result<RecipeSettings> resolve(const RecipeCall& call, const Catalog& catalog);
Result<ClosPlan> plan(const RecipeSettings& settings);
// The networks beside the compute fabric that the settings ask for.
// How such a network is built for this many hosts: in two tiers at least where a host has several ports, so that they end
// on different leaves.
RecipeCall callFor(const SideNetwork& side, int hosts, const Catalog& catalog);
std::vector<SideNetwork> sideNetworksOf(const RecipeSettings& settings, const ClosPlan& plan, const Catalog& catalog);
Result<Design> build(const RecipeCall& call, const std::string& name, CatalogPointer catalog);
// The same design with other parameters: free content and overrides stay.
Result<Design> rebuild(const Design& design, const RecipeCall& call);

} // namespace railyard
