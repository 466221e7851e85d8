// The parameters of a recipe with their final values.
#pragma once

#include "core/base/result.h"
#include "core/design/model/design.h"
#include "core/design/recipes/recipe_table.h"

#include <string>

namespace railyard {

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
    Bandwidth hbOut;      // per GPU out of its server, over a second level of HB switches; 0: one level
    int hbSpines = 0;     // HB switches of the second level in a domain
    bool idealHb = false; // the HB domain differs from that of the server part: one ideal HB switch
    int rails = 0, radix = 0, spineRadix = 0;
    bool autoRails = false; // rail-only without a stated count: the divisor that builds the fewest switches
    Bandwidth leafCapacity; // the sum of port speeds that a leaf carries, down and up
    int leafPortsUp = 0;    // ports that a leaf has at the speed of its uplinks, if all were uplinks
    int tiers = 0;          // 0 = auto
    int leafDown = 0, leafUp = 0;
    Ratio leafRatio; // of the ports down and up that was asked for; leafDown : leafUp keep it, rounded to whole ports
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
    bool hasTwoHbLevels() const { return hbOut > Bandwidth() && serversPerDomain() > 1; }
    int hbSwitchesOfServer() const; // those of the part, if its number of GPUs is kept
    int hbSwitchesOfDomain() const; // of a domain of several servers with one level: of a rack system those in it, else one ideal switch
    // Down and up of `uplinks=used` for leaves that are built with these ports.
    Ratio usedRatio(int builtDown, int builtUp) const;
    int mostUplinks(int down) const; // that a leaf has ports and capacity for, besides this number of downlinks
    int gpus() const { return servers * gpusPerServer; }
    // The NICs that rails divide: those of a server, or of an HB domain under rail-only.
    int nicsPerRailUnit() const { return nicsPerServer * (family == RecipeFamily::RailOnly ? serversPerDomain() : 1); }
};

// The call with what its preset sets. The SU of a preset is what the leaf of the published system holds: with another switch it
// follows from that switch, as without a preset.
RecipeCall inFull(const RecipeCall& call);

// Usage errors for unknown keys and malformed values; Unbuildable errors with the key, the limit and the nearest valid value.
Result<RecipeSettings> resolve(const RecipeCall& call, const Catalog& catalog);

} // namespace railyard
