// Storage, in-band and out-of-band networks, elaborated and cabled separately from the compute fabric. Their cables are
// assumed to be 30 m long, because their switches are not placed in racks.
#pragma once

#include "core/bill/cabling.h"

namespace railyard {

struct AuxiliaryFabric {
    std::string name; // storage, in-band, out-of-band
    FabricPointer fabric;
    Cabling cabling;
    int others = 0; // the last hosts that are not servers of the design
};
// The hosts are the servers of the design, failed or not, and the managed switches.
std::vector<AuxiliaryFabric> auxiliaryFabricsOf(const Fabric& compute);
// RY-D017: networks that cannot be built for the present hosts; they are not part of the result above.
std::vector<Diagnostic> sideProblems(const Fabric& compute);

// The names of the hosts of sides[which], in the order of its servers: the servers of the design, then storage/node[3], or
// for a management network the switches of every network.
std::vector<std::string> sideHosts(const std::vector<AuxiliaryFabric>& sides, std::size_t which, const Fabric& compute);
// The path of one of its devices in the context of the design: storage/leaf[2], su[1]/srv[4]/storage[1].
std::string sidePath(const AuxiliaryFabric& side, const std::vector<std::string>& hosts, DeviceId device);

} // namespace railyard
