// Storage, in-band and out-of-band networks, elaborated and cabled separately from the compute fabric. Their switches stand in the racks
// of the compute fabric, or in racks of their own where those are full; without racks every cable is 30 m long.
#pragma once

#include "core/bill/cabling.h"

namespace railyard {

struct AuxiliaryFabric {
    std::string name; // storage, in-band, out-of-band
    FabricPointer fabric;
    Cabling cabling; // its floor has the racks of the design
    int others = 0;  // the last hosts that are not servers of the design; storage nodes stand in no rack
};

struct AuxiliaryNetworks {
    std::vector<AuxiliaryFabric> fabrics;
    std::vector<Diagnostic> problems; // RY-D017: networks that cannot be built for the present hosts
};

// The hosts are the servers of the design, failed or not, and the managed switches. Adds the switches to the floor.
AuxiliaryNetworks auxiliaryNetworksOn(const Fabric& compute, Floor& floor);
// Those of a cabling; empty without.
const std::vector<AuxiliaryFabric>& auxiliaryFabricsOf(const Cabling& cabling);

// The names of the hosts of networks[which], in the order of its servers: the servers of the design, then storage/node[3], or
// for a management network the switches of every network.
std::vector<std::string> networkHosts(const std::vector<AuxiliaryFabric>& networks, std::size_t which, const Fabric& compute);
// The path of one of its devices in the context of the design: storage/leaf[2], su[1]/srv[4]/storage[1].
std::string networkPath(const AuxiliaryFabric& side, const std::vector<std::string>& hosts, DeviceId device);

} // namespace railyard
