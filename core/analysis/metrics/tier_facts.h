// What the switches of each tier are, and how many of their ports are in use.
#pragma once

#include "core/fabric/fabric.h"

#include <string>
#include <vector>

namespace railyard {

struct TierFacts {
    SwitchTier tier = SwitchTier::Leaf;
    std::int64_t switches = 0;
    std::vector<const Part*> parts;   // different ones, in path order; null where the catalogue has no such part
    std::vector<Bandwidth> speeds;    // of the links in their ports, one direction, ascending
    int ports = 0;                    // most of one switch
    int fewestUsed = 0, mostUsed = 0; // ports in use of one switch

    std::string partText() const;  // "QM9700", "2 models"
    std::string portsText() const; // "400 Gb/s, 64 of 64 ports", "60 to 64 of 64 ports"
};

// The top tier first; tiers without switches are left out.
std::vector<TierFacts> tierFactsOf(const Fabric& fabric);

} // namespace railyard
